// Calls of modules as calls of operators (DSP-811).
#pragma once

#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"
#include "cuda_impl/module/module.hpp"

namespace assay::cuda {

/// Raises `not_implemented` for a module without a computation, and then `type` for a wrong number
/// of inputs.
Tensor forward(dispatch::Dispatcher& dispatcher, const Module& module,
               const std::vector<Tensor>& inputs);

}  // namespace assay::cuda
