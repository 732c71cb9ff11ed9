// Steps of optimizers across the waist: arguments in, the client's own code in between, results
// out.
#pragma once

#include <any>
#include <memory>

#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// The argument `optimizer`.
std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// From the arguments `args` and `kwargs`, where there are any. To be used while `call` lives.
StepCall step_call(Call& call);

/// The step of an optimizer whose step is the callback named by the argument `step`: it is given
/// the step's arguments, `$optimizer`, and `$grad_scaler` where that is passed. Runs for whatever
/// command its thread is answering then.
CustomOptimizer::Step custom_step(Call& call);

/// The field `result`: what a step has returned.
void set_step_result(Call& call, const std::any& returned);

}  // namespace assay::cuda
