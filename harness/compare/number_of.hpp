// The number of a measurement, or the reason why it has none.
#pragma once

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// For null, the reason is "no such row".
Number number_of(const report::BenchMeasurement* measurement, const report::BenchRecord& record);

}  // namespace assay::compare
