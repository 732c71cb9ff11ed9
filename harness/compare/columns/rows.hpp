// A row of a comparison: the measurements of the same name, the number of each, the statistical
// contrast between two of them, and the subjects that are the same.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/stats/contrast.hpp"

namespace assay::compare {

/// For null, the reason is "no such row".
Number number_of(const report::BenchMeasurement* measurement, const report::BenchRecord& record);

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

/// The contrast of the logarithms of the processes' medians: exp(shift) is a ratio. Sides of one
/// record that ran in the same rounds are paired: processes of a round see the same state of the
/// machine, so their ratio is known more precisely than either number. Rounds that one side lacks
/// are left out.
stats::Contrast contrast_of(const Column& baseline, const report::BenchMeasurement& before,
                            const Column& candidate, const report::BenchMeasurement& after,
                            double alpha);

/// Names the subjects of whole records for their rows, by the rule of `report::pair_names`: a
/// subject whose id differs between records gets the name that it reports.
/// Returns one sentence for each group of subjects that this rule cannot tell apart.
std::vector<std::string> name_subjects(std::vector<Column>& columns);

}  // namespace assay::compare
