// The records inside the page, or as many of them as fit.
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

/// More records are interleaved: separately, they would make the page too large to be mailed.
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

Markup not_held(const std::vector<LeftOutFile>& files, Embedded wanted) {
  if (files.empty()) return {};
  Markup items;
  for (const LeftOutFile& file : files) items += left_out(file);
  const std::string why =
      wanted == Embedded::kNone
          ? "as requested by --records none"
          : fmt::format("which would make it larger than {} MB; --records all keeps them",
                        kMostPageBytes / 1'000'000);
  return element(
             "p", {{"class", "warning"}},
             fmt::format("! This page does not hold {} of its records, {}:", files.size(), why)) +
         element("ul", items);
}

/// Moves the bytes of the records out of the report; nothing else needs them.
std::vector<StoredFile> taken_files(Report& report) {
  std::vector<std::string> paths;
  for (const Source& source : report.sources) paths.push_back(source.path);
  std::vector<StoredFile> files;
  for (const std::string& name : stored_names(paths))
    files.push_back({name, std::move(report.sources[files.size()].bytes)});
  return files;
}

std::vector<LeftOutFile> all_left_out(const std::vector<StoredFile>& files) {
  std::vector<LeftOutFile> out;
  for (const StoredFile& file : files) out.push_back({file.name, file.bytes.size()});
  return out;
}

/// Indices of the files, the smallest first.
std::vector<std::size_t> by_size(const std::vector<StoredFile>& files) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return files[i].bytes.size(); });
  return order;
}

/// The content if the first `count` files of `order` are in the page.
Markup content_of(const std::vector<StoredFile>& files, const std::vector<std::size_t>& order,
                  std::size_t count) {
  const std::set<std::size_t> kept(order.begin(),
                                   order.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<StoredFile> in;
  std::vector<LeftOutFile> out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (kept.contains(i)) {
      in.push_back(files[i]);
    } else {
      out.push_back({files[i].name, files[i].bytes.size()});
    }
  }
  return held(in) + not_held(out, Embedded::kFitting);
}

/// Samples from the whole text: records begin with repetitive parts, and some have large failures.
std::string sample_of(const std::string& bytes, std::size_t most) {
  constexpr std::size_t kPieces = 8;
  if (bytes.size() <= most) return bytes;
  const std::size_t size = most / kPieces;
  std::string sample;
  for (std::size_t i = 0; i < kPieces; ++i)
    sample += bytes.substr((bytes.size() - size) / (kPieces - 1) * i, size);
  return sample;
}

/// Estimates the size of the files in a page from samples, because packing everything is slow.
double guess_of(const std::vector<StoredFile>& files) {
  constexpr std::size_t kPart = 800'000;
  std::size_t bytes = 0, looked_at = 0;
  std::vector<StoredFile> parts;
  for (const StoredFile& file : files) {
    parts.push_back({file.name, sample_of(file.bytes, kPart / files.size())});
    bytes += file.bytes.size();
    looked_at += parts.back().bytes.size();
  }
  const double packed = static_cast<double>(held(parts).html().size());
  return packed * static_cast<double>(bytes) / static_cast<double>(std::max(looked_at, 1UL));
}

/// A prefix of the files in `order`.
class Fewer {
 public:
  Fewer(const std::vector<StoredFile>& files, const std::vector<std::size_t>& order)
      : files_(files), order_(order), count_(files.size()) {
    for (const StoredFile& file : files) bytes_ += file.bytes.size();
  }

  std::size_t count() const { return count_; }

  /// Removes at least one file, so that the size is at most `share` of what it was.
  void shrink_to(double share) {
    const double most = static_cast<double>(bytes_) * share;
    do {
      bytes_ -= files_[order_[--count_]].bytes.size();
    } while (count_ > 0 && static_cast<double>(bytes_) > most);
  }

 private:
  const std::vector<StoredFile>& files_;
  const std::vector<std::size_t>& order_;
  std::size_t count_, bytes_ = 0;
};

/// Tries all files, or as many as the estimate allows, then reduces the number by the last result.
Markup fitting(const std::vector<StoredFile>& files, std::size_t room) {
  // The estimate alone never excludes a file: it is up to three times too large if a long record is
  // repetitive.
  const double doubt = files.size() > kMostAlone ? 1.5 : 4;
  const std::vector<std::size_t> order = by_size(files);
  Fewer kept(files, order);
  const double most = static_cast<double>(room);
  if (const double guess = guess_of(files); guess > doubt * most)
    kept.shrink_to(doubt * most / guess);
  while (kept.count() > 0) {
    const Markup content = content_of(files, order, kept.count());
    const double size = static_cast<double>(content.html().size());
    if (size <= most) return content;
    kept.shrink_to(most / size);
  }
  return not_held(all_left_out(files), Embedded::kFitting);
}

}  // namespace

Section records_section(Report& report, std::size_t room_bytes) {
  const std::vector<StoredFile> files = taken_files(report);
  Markup content;
  if (report.embedded == Embedded::kFitting) content = fitting(files, room_bytes);
  if (report.embedded == Embedded::kAll) content = held(files);
  if (report.embedded == Embedded::kNone) content = not_held(all_left_out(files), Embedded::kNone);
  return {"records", "Records", std::to_string(files.size()), content};
}

}  // namespace assay::page
