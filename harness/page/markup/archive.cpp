// Packs files into `data:` links.
#include "harness/page/markup/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <stdexcept>

#include "harness/page/markup/base64.hpp"
#include "harness/program/text_file.hpp"

namespace assay::page {
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
