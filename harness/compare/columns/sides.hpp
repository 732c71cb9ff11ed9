// The statistical contrast between two sides of a row, from their processes.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/stats/contrast.hpp"

namespace assay::compare {

/// The contrast of the logarithms of the processes' medians: exp(shift) is a ratio. Sides of one
/// record that ran in the same rounds are paired: processes of a round see the same state of the
/// machine, so their ratio is known more precisely than either number. Rounds that one side lacks
/// are left out.
stats::Contrast contrast_of(const Column& baseline, const report::BenchMeasurement& before,
                            const Column& candidate, const report::BenchMeasurement& after,
                            double alpha);

}  // namespace assay::compare
