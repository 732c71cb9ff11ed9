// The records inside the page.
#include <fmt/format.h>

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
  return element("p", Markup("This page holds the records that it was made from. A link saves one, "
                             "packed with gzip; ") +
                          code("assay report --extract PAGE.html -o FOLDER") +
                          " writes them all, byte for byte.") +
         element("ul", items);
}

Markup link_of_all(const std::vector<StoredFile>& files) {
  Markup items;
  for (const StoredFile& file : files)
    items += element("li", fmt::format("{} ({} bytes)", file.name, file.bytes.size()));
  return element("p", Markup("This page holds the records that it was made from, ") +
                          stored_together(files, "packed together") + "; " +
                          code("assay report --extract PAGE.html -o FOLDER") +
                          " writes them all, byte for byte.") +
         element("ul", items);
}

}  // namespace

Section records_section(const Material& material) {
  std::vector<std::string> paths;
  for (const Source& source : material.report.sources) paths.push_back(source.path);
  std::vector<StoredFile> files;
  for (const std::string& name : stored_names(paths))
    files.push_back({name, material.report.sources[files.size()].bytes});
  return {"records", "Records", std::to_string(files.size()),
          files.size() > kMostAlone ? link_of_all(files) : links_of(files)};
}

}  // namespace assay::page
