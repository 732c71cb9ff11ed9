// The comparisons that a page holds: of benches that measured the same, or of the subjects of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/page/material/cost.hpp"

namespace assay::page {

/// One of both.
struct Compared {
  std::string name;  ///< of the record, or of the first of several
  std::optional<compare::Comparison> found;
  std::string refusal;  ///< why the records cannot be compared
};

/// Records that share a quantity stand beside each other; of one that shares none with another its
/// subjects do.
std::vector<Compared> comparisons_of(const std::vector<Bench>& benches);

}  // namespace assay::page
