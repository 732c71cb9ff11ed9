// The comparisons on a page: between benches that measured the same, or between subjects of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/page/data/cost.hpp"

namespace assay::page {

/// A comparison of records, or of subjects.
struct Compared {
  std::string name;  ///< the name of the record, or of the first of several
  std::optional<compare::Comparison> found;
  std::string refusal;  ///< why the records cannot be compared
};

/// Compares records that share a quantity with each other, and otherwise the subjects of a
/// record.
std::vector<Compared> comparisons_of(const std::vector<Bench>& benches);

}  // namespace assay::page
