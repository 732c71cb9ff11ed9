// Optimizer steps through the protocol:
// arguments, client callbacks, and results.
#pragma once

#include <any>
#include <memory>

#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// The argument `optimizer`.
std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// Built from the arguments `args` and `kwargs`, if present. Valid while `call` lives.
StepCall step_call(Call& call);

/// An optimizer step that runs the callback in the argument `step` with the step's arguments,
/// `$optimizer` and, if it is passed, `$grad_scaler`. The callback runs within the command that its
/// thread is then answering.
CustomOptimizer::Step custom_step(Call& call);

/// Sets the field `result` to the result of a step.
void set_step_result(Call& call, const std::any& returned);

}  // namespace assay::cuda
