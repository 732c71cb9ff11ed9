// Clipping gradients by the norm of all of them together.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Scales the gradients of `params` in place where their norm is above `max_norm`, and returns the
/// norm, on the device of the first gradient. Does not wait. `release`: what is alone was squared
/// too in 1.13 (OPT-009).
Tensor clip_grad_norm_(const std::vector<Tensor>& params, double max_norm,
                       Release release = Release::k2_11);

}  // namespace assay::cuda
