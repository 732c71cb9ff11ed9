// Converts times to units of the machine itself: null calls or launches, clock cycles, or memory
// bandwidth.
#pragma once

#include <optional>

#include "harness/report/bench/record.hpp"

namespace assay::compare {

/// Converts every time to a number of null calls, process by process: what remains when one machine
/// is merely faster than another. Measurements without a null call in the same process lose their
/// number; counts are unchanged.
report::BenchRecord in_null_calls(report::BenchRecord record);

/// Converts every time to the share of the roof that it reaches, process by process: bytes per
/// nanosecond divided by those of the subject's largest copy. More is better. Measurements of an
/// unknown number of bytes, or without such a copy, lose their number.
report::BenchRecord in_shares_of_roof(const report::BenchRecord& record);

/// Converts every time to a number of null launches (`launch/kernel` of the subject), process by
/// process. Measurements without one in the same process lose their number.
report::BenchRecord in_null_launches(const report::BenchRecord& record);

/// Converts every time to clock cycles of the first GPU, process by process. Measurements with an
/// unknown clock lose their number.
report::BenchRecord in_cycles(report::BenchRecord record);

/// The number of one measurement in null launches; nothing if it has none.
std::optional<double> center_in_null_launches(const report::BenchMeasurement& measurement,
                                              const report::BenchRecord& record);
std::optional<double> center_in_cycles(const report::BenchMeasurement& measurement);

}  // namespace assay::compare
