// Going on with a bench that ended before its time.
#pragma once

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// What `run` goes on from: the complete rounds of `left`, which is what the bench wrote last. Of a
/// round that is not complete nothing is kept. `head` and `plan` are what would begin now; throws
/// UsageError where that is not the same bench. Each subject that is not through is started once,
/// to be asked whether it is still the same.
Measured resumed(const report::BenchRecord& left, const report::BenchRecord& head,
                 const Plan& plan);

}  // namespace assay::bench
