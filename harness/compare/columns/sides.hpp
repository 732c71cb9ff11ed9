// Two sides of a row, by their processes.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/stats/contrast.hpp"

namespace assay::compare {

/// The contrast of the logarithms of the processes' medians: of a shift, e to it is a ratio. Sides
/// of one record that ran in the same rounds are pairs: processes of a round share the state of the
/// machine, so that their ratio is better known than either number. A round that one side lacks is
/// then left out.
stats::Contrast contrast_of(const Column& baseline, const report::BenchMeasurement& before,
                            const Column& candidate, const report::BenchMeasurement& after,
                            double alpha);

}  // namespace assay::compare
