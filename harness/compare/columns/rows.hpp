// Pairs measurements of several records that have the same names.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// One row, before any computation.
struct Pairing {
  std::string subject, quantity, name, case_name;
  Scope scope;
  std::vector<const report::BenchMeasurement*> found;  ///< by column; null if it has no such row
};

/// Rows in order of first appearance, grouped by subject, quantity and scope. Throws Invalid if a
/// column has a row twice.
std::vector<Pairing> paired_rows(const std::vector<Column>& columns,
                                 const std::vector<std::string>& filters);

}  // namespace assay::compare
