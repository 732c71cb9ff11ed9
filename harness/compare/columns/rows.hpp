// Which measurements of several records stand beside each other: those of the same names.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// One row before anything was computed.
struct Pairing {
  std::string subject, quantity, name, case_name;
  std::vector<const report::BenchMeasurement*> found;  ///< by column; null where it has no such row
};

/// Rows in the order in which they first appear, those of a subject and quantity together. Throws
/// Invalid where a column has a row twice.
std::vector<Pairing> paired_rows(const std::vector<Column>& columns,
                                 const std::vector<std::string>& filters);

}  // namespace assay::compare
