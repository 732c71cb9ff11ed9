// Finds embedded files by name.
#include "harness/page/page_sources.hpp"

#include <stdexcept>
#include <string>

namespace assay::page {

std::string_view page_source(std::string_view name) {
  for (const EmbeddedFile& file : page_sources()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("the program holds no " + std::string(name));
}

}  // namespace assay::page
