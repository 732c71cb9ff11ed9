// Times as multiples of what a machine's own simplest call costs.
#pragma once

#include "harness/report/bench_record.hpp"

namespace assay::compare {

/// The record with every time as how many null calls it lasts, process by process: what remains
/// when one machine is merely faster than another. What has no null call beside it has no number
/// then; counts stay what they are.
report::BenchRecord in_null_calls(report::BenchRecord record);

}  // namespace assay::compare
