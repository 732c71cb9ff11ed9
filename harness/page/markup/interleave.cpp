// The text begins with the number of lines and the name of each file; the lines follow.
#include "harness/page/markup/interleave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace assay::page {
namespace {

/// Splits at line breaks; the text after the last one counts as a line too.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool has_more() const { return !ended_; }

  std::string_view next() {
    if (ended_) throw std::runtime_error("it ends too early");
    const auto end = text_.find('\n');
    const std::string_view line = text_.substr(0, end);
    ended_ = end == std::string_view::npos;
    if (!ended_) text_.remove_prefix(end + 1);
    return line;
  }

 private:
  std::string_view text_;
  bool ended_ = false;
};

std::size_t taken_count(std::string_view& line) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
  if (error != std::errc{}) throw std::runtime_error("a count is missing");
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return count;
}

struct FileLines {
  StoredFile file;
  std::size_t left = 0;  ///< the number of remaining lines
};

std::vector<FileLines> files_from(Lines& lines) {
  constexpr std::size_t kMostFiles = 10'000;
  std::string_view head = lines.next();
  std::vector<FileLines> strands;
  std::size_t left = taken_count(head);
  if (left > kMostFiles) throw std::runtime_error("it has too many files");
  for (; left > 0; --left) {
    std::string_view line = lines.next();
    const std::size_t count = taken_count(line);
    if (count == 0 || !line.starts_with(' '))
      throw std::runtime_error("a file has no lines or name");
    strands.push_back({{std::string(line.substr(1)), ""}, count});
  }
  return strands;
}

}  // namespace

std::string interleaved(const std::vector<StoredFile>& files) {
  std::string text = fmt::format("{}", files.size());
  std::vector<Lines> strands;
  for (const StoredFile& file : files) {
    const auto lines = std::ranges::count(file.bytes, '\n') + 1;
    text += fmt::format("\n{} {}", lines, file.name);
    strands.emplace_back(file.bytes);
  }
  for (bool more = true; more;) {
    more = false;
    for (Lines& strand : strands) {
      if (!strand.has_more()) continue;
      text += '\n';
      text += strand.next();
      more = true;
    }
  }
  return text;
}

std::vector<StoredFile> deinterleaved(std::string_view text) {
  Lines lines(text);
  std::vector<FileLines> strands = files_from(lines);
  std::vector<FileLines*> open;
  for (FileLines& strand : strands) open.push_back(&strand);
  while (!open.empty()) {
    for (FileLines* strand : open) {
      strand->file.bytes += lines.next();
      if (--strand->left > 0) strand->file.bytes += '\n';
    }
    std::erase_if(open, [](const FileLines* strand) { return strand->left == 0; });
  }
  if (lines.has_more()) throw std::runtime_error("there is text after its end");
  std::vector<StoredFile> files;
  for (FileLines& strand : strands) files.push_back(std::move(strand.file));
  return files;
}

}  // namespace assay::page
