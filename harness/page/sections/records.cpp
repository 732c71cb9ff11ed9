// The records inside the page, or those of them for which it has room.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "harness/page/markup/archive.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// More are woven: each by itself would make the page too large to be mailed.
constexpr std::size_t kMostAlone = 4;

Markup links_of(const std::vector<StoredFile>& files) {
  Markup items;
  for (const StoredFile& file : files) {
    items += element("li", stored(file, file.name + ".gz") +
                               fmt::format(" ({} bytes when unpacked)", file.bytes.size()));
  }
  return element("p", Markup("A link saves a record that this page was made from, packed with "
                             "gzip; ") +
                          code("assay report --extract PAGE.html -o FOLDER") +
                          " writes what the page holds, byte for byte.") +
         element("ul", items);
}

Markup link_of_all(const std::vector<StoredFile>& files) {
  Markup items;
  for (const StoredFile& file : files)
    items += element("li", fmt::format("{} ({} bytes)", file.name, file.bytes.size()));
  return element("p", Markup("This page holds records that it was made from, ") +
                          stored_together(files, "packed together") + "; " +
                          code("assay report --extract PAGE.html -o FOLDER") +
                          " writes them, byte for byte.") +
         element("ul", items);
}

Markup held(const std::vector<StoredFile>& files) {
  if (files.empty()) return {};
  return files.size() > kMostAlone ? link_of_all(files) : links_of(files);
}

Markup not_held(const std::vector<StoredFile>& files, Embedded wanted) {
  if (files.empty()) return {};
  Markup items;
  for (const StoredFile& file : files) items += left_out(file);
  const std::string why =
      wanted == Embedded::kNone
          ? "as --records none asked"
          : fmt::format("which would make it larger than {} MB; --records all keeps them",
                        kMostPageBytes / 1'000'000);
  return element(
             "p", {{"class", "warning"}},
             fmt::format("! This page does not hold {} of its records, {}:", files.size(), why)) +
         element("ul", items);
}

std::vector<StoredFile> files_of(const Report& report) {
  std::vector<std::string> paths;
  for (const Source& source : report.sources) paths.push_back(source.path);
  std::vector<StoredFile> files;
  for (const std::string& name : stored_names(paths))
    files.push_back({name, report.sources[files.size()].bytes});
  return files;
}

/// Where files stand, the smallest first.
std::vector<std::size_t> by_size(const std::vector<StoredFile>& files) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return files[i].bytes.size(); });
  return order;
}

/// What the page holds of the files if those of `order` up to `count` are in it.
Markup content_of(const std::vector<StoredFile>& files, const std::vector<std::size_t>& order,
                  std::size_t count) {
  const std::set<std::size_t> kept(order.begin(),
                                   order.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<StoredFile> in, out;
  for (std::size_t i = 0; i < files.size(); ++i) (kept.contains(i) ? in : out).push_back(files[i]);
  return held(in) + not_held(out, Embedded::kFitting);
}

/// Tries all, then as many as the size of the last attempt lets hope for.
Markup fitting(const std::vector<StoredFile>& files, std::size_t room) {
  const std::vector<std::size_t> order = by_size(files);
  std::size_t bytes = 0;
  for (const StoredFile& file : files) bytes += file.bytes.size();
  for (std::size_t count = files.size(); count > 0;) {
    const Markup content = content_of(files, order, count);
    const double size = static_cast<double>(content.html().size());
    if (size <= static_cast<double>(room)) return content;
    const double most = static_cast<double>(bytes) * static_cast<double>(room) / size;
    do {
      bytes -= files[order[--count]].bytes.size();
    } while (count > 0 && static_cast<double>(bytes) > most);
  }
  return not_held(files, Embedded::kFitting);
}

}  // namespace

Section records_section(const Report& report, std::size_t room_bytes) {
  const std::vector<StoredFile> files = files_of(report);
  Markup content;
  if (report.embedded == Embedded::kFitting) content = fitting(files, room_bytes);
  if (report.embedded == Embedded::kAll) content = held(files);
  if (report.embedded == Embedded::kNone) content = not_held(files, Embedded::kNone);
  return {"records", "Records", std::to_string(files.size()), content};
}

}  // namespace assay::page
