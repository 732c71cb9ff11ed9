// Calling a module.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/module/module.hpp"

namespace assay::reference {

/// What the module makes of its inputs, each operator called through the dispatcher (DSP-811). Two
/// inputs for a loss, one for the rest. Raises `type` for another number of them, `not_implemented`
/// for a plain module.
Tensor forward(Runtime& runtime, const Module& module, const std::vector<Tensor>& inputs);

}  // namespace assay::reference
