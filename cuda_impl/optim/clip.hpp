// Clips gradients by their total norm.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Scales the gradients of `params` in place if their norm exceeds `max_norm`, and returns the norm
/// on the first gradient's device. Does not wait. `release`: 1.13 also squares a single element
/// (OPT-009).
Tensor clip_grad_norm_(const std::vector<Tensor>& params, double max_norm,
                       Release release = kNewestRelease);

}  // namespace assay::cuda
