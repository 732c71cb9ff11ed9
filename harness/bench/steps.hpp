// Counts the device operations of a training step with a gradient scaler: launches, copies, host
// reads and allocations, call by call.
#pragma once

#include <vector>

#include "harness/bench/contenders.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// The name of all rows. Their axes are optimizer, mode, number of tensors, whether a gradient is
/// infinite, and the call: `scale`, `unscale_` (not with a fused optimizer, whose step unscales),
/// `step`, `update`.
inline constexpr const char* kStepCase = "scaler/step";

/// Contenders that run in the subject's own program, which counts between command and reply; by
/// default those of this project. Throws UsageError for unknown subjects, copies and other builds.
std::vector<Contender> step_contenders(const ContenderOptions& options);

/// Measures `step.launches`, `step.copies`, `step.host_reads` and `step.allocations` per call, in
/// `plan.processes` sessions; the plan's cases and timing are ignored. The first step of each
/// optimizer, which creates its state, is not counted. A step without its expected effect fails.
Measured count_steps(const Plan& plan);

}  // namespace assay::bench
