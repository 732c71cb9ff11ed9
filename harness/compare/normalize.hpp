// Times in a unit of the machine's own: its simplest call or launch, its clock, or its memory's
// bandwidth.
#pragma once

#include <optional>

#include "harness/report/bench/record.hpp"

namespace assay::compare {

/// The record with every time as how many null calls it lasts, process by process: what remains
/// when one machine is merely faster than another. What has no null call beside it has no number
/// then; counts stay what they are.
report::BenchRecord in_null_calls(report::BenchRecord record);

/// The record with every time as the share of the roof that it reaches, process by process: bytes a
/// nanosecond over those of the subject's largest copy. More is better. What moves no known bytes,
/// or has no such copy beside it, has no number then.
report::BenchRecord in_shares_of_roof(const report::BenchRecord& record);

/// The record with every time as how many null launches it lasts (`launch/kernel` of the subject),
/// process by process. What has none beside it has no number then.
report::BenchRecord in_null_launches(const report::BenchRecord& record);

/// The record with every time in cycles of the clock that the first GPU had behind it, process by
/// process. Where that is not known there is no number then.
report::BenchRecord in_cycles(report::BenchRecord record);

/// What the number of one measurement is in such a record; nothing where it has none.
std::optional<double> center_in_null_launches(const report::BenchMeasurement& measurement,
                                              const report::BenchRecord& record);
std::optional<double> center_in_cycles(const report::BenchMeasurement& measurement);

}  // namespace assay::compare
