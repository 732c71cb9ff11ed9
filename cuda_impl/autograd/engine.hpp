// Backward: gradients go from an outcome to the leaves that it was made of.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Adds to the gradient of every leaf behind `outcome`, and uses the graph up. `gradient` is that
/// of the outcome; undefined: ones, for an outcome of one element. Raises `error` for an outcome
/// that requires no gradient, for a graph that is used up, and for saved tensors that were written
/// to. The host does not wait.
void backward(const Tensor& outcome, const Tensor& gradient = {});

}  // namespace assay::cuda
