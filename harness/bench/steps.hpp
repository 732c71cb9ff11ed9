// What a training step with a gradient scaler asks of its devices: launches, copies, host reads and
// allocations, call by call.
#pragma once

#include <vector>

#include "harness/bench/contenders.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// The name of all rows; their axes say optimizer, mode, number of tensors, whether a gradient is
/// infinite, and the call: `scale`, `unscale_` (not with a fused optimizer, whose step unscales),
/// `step`, `update`.
inline constexpr const char* kStepCase = "scaler/step";

/// The subjects themselves, which count between a command and its reply; no subject means those of
/// this project. Throws UsageError for one that is none, and for copies and other builds.
std::vector<Contender> step_contenders(const ContenderWishes& wishes);

/// `step.launches`, `step.copies`, `step.host_reads` and `step.allocations` of each call, in
/// `plan.processes` sessions; cases and timing of the plan do not matter. The first step of each
/// optimizer, which makes its state, is not counted. A step that did not do its work has no count.
Measured count_steps(const Plan& plan);

}  // namespace assay::bench
