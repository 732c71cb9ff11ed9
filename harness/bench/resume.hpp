// Continues an interrupted bench run.
#pragma once

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// Returns the complete rounds of `left`, the record that the interrupted run wrote last, for `run`
/// to continue. Drops an incomplete round. `head` and `plan` describe the run that would begin now;
/// throws UsageError if it is not the same run. Starts each subject with unfinished rows once, to
/// check that it is unchanged.
Measured resumed(const report::BenchRecord& left, const report::BenchRecord& head,
                 const Plan& plan);

}  // namespace assay::bench
