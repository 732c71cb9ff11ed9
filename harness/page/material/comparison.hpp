// The comparison that a page holds: of its benches, or of the subjects of the only one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/page/material/cost.hpp"

namespace assay::page {

/// Both are empty where there is nothing to be compared.
struct Compared {
  std::optional<compare::Comparison> found;
  std::string refusal;  ///< why the records cannot be compared
};

Compared comparison_of(const std::vector<Bench>& benches);

}  // namespace assay::page
