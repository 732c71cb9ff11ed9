// The table cells of a comparison as text, shared by the text and Markdown outputs.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

struct Section {
  std::string title;  ///< `host.dispatch_ns of reference, in ns, lower is better`
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

std::vector<Section> sections_of(const Comparison& comparison);

}  // namespace assay::compare
