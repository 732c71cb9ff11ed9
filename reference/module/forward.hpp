// Calls modules.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/module/module.hpp"

namespace assay::reference {

/// Returns the module's output; operators are called through the dispatcher (DSP-811). A loss takes
/// two inputs, other modules one. Raises `type` for another number of inputs and `not_implemented`
/// for a plain module.
Tensor forward(Runtime& runtime, const Module& module, const std::vector<Tensor>& inputs);

}  // namespace assay::reference
