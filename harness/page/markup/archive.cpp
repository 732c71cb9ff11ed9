// Encodes base64, interleaves lines of files, and packs files into `data:` links.
#include "harness/page/markup/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <set>
#include <stdexcept>

#include "harness/program/text_file.hpp"

namespace assay::page {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t byte_at(std::string_view bytes, std::size_t index) {
  return index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0U;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three =
        byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    text += kLetters[three >> 18];
    text += kLetters[three >> 12 & 63];
    text += i + 1 < bytes.size() ? kLetters[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kLetters[three & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_padding = i >= text.size() - padding;
    const std::size_t value = is_padding ? 0 : kLetters.find(text[i]);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffffU;
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift & 0xffU);
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

// Interleaved text begins with the number of lines and the name of each file; the lines follow.

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

namespace {

constexpr const char* kType = "application/gzip";
constexpr const char* kWovenType = "application/x-assay-records";
constexpr const char* kWovenName = "records";
/// The highest level takes four times as long for 5 % less; for many records, a lower level is
/// used, which takes half as long.
constexpr int kLevel = 6, kLevelOfMany = 3;
// Texts of a page are escaped, so this occurs only where `stored` has written it.
constexpr std::string_view kBefore = "<a download=\"";
constexpr std::string_view kBetween = ".gz\" href=\"data:application/gzip;base64,";
constexpr std::string_view kBetweenInterleaved =
    ".gz\" href=\"data:application/x-assay-records;base64,";
constexpr std::string_view kBeforeLeftOut = "<li data-left-out=\"";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

/// The page is untrusted input: rejects names that could leave the folder.
void refuse_unless_plain(std::string_view name) {
  if (stored_name(name) != name) {
    throw std::runtime_error(fmt::format("the record '{}' in the page is damaged", visible(name)));
  }
}

/// The content of a link: one file, or many. `room` is how many bytes the page may still give.
std::vector<StoredFile> unpacked_files(std::string_view name, std::string_view base64,
                                       bool is_interleaved, std::size_t& room) {
  refuse_unless_plain(name);
  try {
    const auto packed = from_base64(base64);
    if (!packed) throw std::runtime_error("it is no base64");
    std::string text = unpacked(*packed, room);
    room -= text.size();
    if (!is_interleaved) return {{std::string(name), std::move(text)}};
    std::vector<StoredFile> files = deinterleaved(text);
    for (const StoredFile& file : files) refuse_unless_plain(file.name);
    return files;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("the record '{}' in the page is damaged: {}", name, error.what()));
  }
}

}  // namespace

std::string stored_name(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  std::ranges::replace_if(
      name, [](char c) { return !is_plain(c); }, '_');
  if (name.starts_with('.') || name.empty()) name.insert(0, "record");
  return name;
}

std::vector<std::string> stored_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    const std::string name = stored_name(path);
    std::string free = name;
    for (int number = 2; !taken.insert(free).second; ++number)
      free = fmt::format("{}-{}", number, name);
    names.push_back(free);
  }
  return names;
}

Markup stored(const StoredFile& file, const Markup& content) {
  return download_of(file.name + ".gz", kType, to_base64(packed_for(".gz", file.bytes, kLevel)),
                     content);
}

Markup stored_together(const std::vector<StoredFile>& files, const Markup& content) {
  return download_of(std::string(kWovenName) + ".gz", kWovenType,
                     to_base64(packed_for(".gz", interleaved(files), kLevelOfMany)), content);
}

Markup left_out(const LeftOutFile& file) {
  return element("li", {{"data-left-out", fmt::format("{} {}", file.size_bytes, file.name)}},
                 fmt::format("{} ({} bytes)", file.name, file.size_bytes));
}

std::vector<LeftOutFile> left_out_of(std::string_view page) {
  std::vector<LeftOutFile> files;
  for (auto at = page.find(kBeforeLeftOut); at != std::string_view::npos;
       at = page.find(kBeforeLeftOut, at + 1)) {
    std::string_view text = page.substr(at + kBeforeLeftOut.size());
    text = text.substr(0, text.find('"'));
    LeftOutFile file;
    const char* const end = text.data() + text.size();
    const auto used = static_cast<std::size_t>(
        std::from_chars(text.data(), end, file.size_bytes).ptr - text.data());
    file.name = text.substr(std::min(used + 1, text.size()));
    refuse_unless_plain(file.name);
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<StoredFile> files_in(std::string_view page) {
  std::vector<StoredFile> files;
  std::size_t room = kMostUnpackedBytes;
  for (auto at = page.find(kBefore); at != std::string_view::npos;
       at = page.find(kBefore, at + 1)) {
    const std::string_view rest = page.substr(at + kBefore.size());
    const auto name = rest.substr(0, rest.find('"'));
    const auto between = name.size() - std::min(name.size(), std::string_view(".gz").size());
    const bool is_interleaved = rest.substr(between).starts_with(kBetweenInterleaved);
    if (!is_interleaved && !rest.substr(between).starts_with(kBetween)) continue;
    const std::string_view data =
        rest.substr(between + (is_interleaved ? kBetweenInterleaved : kBetween).size());
    auto found = unpacked_files(rest.substr(0, between), data.substr(0, data.find('"')),
                                is_interleaved, room);
    std::ranges::move(found, std::back_inserter(files));
  }
  return files;
}

}  // namespace assay::page
