// Modules as calls of operators (DSP-811).
#pragma once

#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"
#include "cuda_impl/module/module.hpp"

namespace assay::cuda {

/// Raises `not_implemented` for a module that computes nothing, and then `type` for another number
/// of inputs than it takes.
Tensor forward(const dispatch::Dispatcher& dispatcher, const Module& module,
               const std::vector<Tensor>& inputs);

}  // namespace assay::cuda
