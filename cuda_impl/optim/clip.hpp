// Clipping gradients by the norm of all of them together.
#pragma once

#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Scales the gradients of `params` in place where their norm is above `max_norm`, and returns the
/// norm, on the device of the first gradient. Does not wait.
Tensor clip_grad_norm_(const std::vector<Tensor>& params, double max_norm);

}  // namespace assay::cuda
