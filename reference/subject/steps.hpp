// Optimizer steps through the protocol: arguments, callbacks and results.
#pragma once

#include <any>
#include <memory>

#include "reference/optim/optimizer.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Takes the arguments `args` and `kwargs` if the command has them. Client code is called through
/// the host. Valid as long as `call`.
StepCall step_call(Call& call);

/// Sets the field `result`; an empty value becomes None.
void set_step_result(Call& call, const std::any& returned);

std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// None, a number, or a tensor by name or by value.
Value to_value(Call& call, const ScalerAttribute& attribute);

}  // namespace assay::reference
