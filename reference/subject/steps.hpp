// Optimizer steps across the waist: arguments in, callbacks out, results back.
#pragma once

#include <any>
#include <memory>

#include "reference/optim/optimizer.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// With the arguments `args` and `kwargs` of the command, if it has them. What comes from outside
/// is called through the host. Valid as long as `call`.
StepCall step_call(Call& call);

/// The `result` of the command: what a step returned; empty is None.
void set_step_result(Call& call, const std::any& returned);

std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// None, a number, or a tensor by name or value.
Value to_value(Call& call, const LentAttribute& attribute);

}  // namespace assay::reference
