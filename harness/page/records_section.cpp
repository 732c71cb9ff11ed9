// The records inside the page.
#include <fmt/format.h>

#include "harness/page/archive.hpp"
#include "harness/page/sections.hpp"

namespace assay::page {

Section records_section(const Material& material) {
  std::vector<std::string> paths;
  for (const Source& source : material.report.sources) paths.push_back(source.path);
  const std::vector<std::string> names = stored_names(paths);
  Markup items;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& bytes = material.report.sources[i].bytes;
    const std::string label = names[i] + ".gz";
    items += element("li", stored({names[i], bytes}, label) +
                               fmt::format(" ({} bytes when unpacked)", bytes.size()));
  }
  const Markup how = Markup(
                         "This page holds the records that it was made from. A link saves one, "
                         "packed with gzip; ") +
                     code("assay report --extract PAGE.html -o FOLDER") +
                     " writes them all, byte for byte.";
  return {"records", "Records", std::to_string(names.size()),
          element("p", how) + element("ul", items)};
}

}  // namespace assay::page
