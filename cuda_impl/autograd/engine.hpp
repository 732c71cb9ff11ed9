// The backward engine: propagates gradients from a result to its leaves.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

struct BackwardOptions {
  bool retain_graph = false;  ///< if false, the graph is released
  bool create_graph = false;  ///< gradients get a history of their own
};

/// Adds to the gradients of all leaves of `outcome`. `gradient` is the outcome's own gradient; if
/// undefined, 1, for an outcome with one element. Raises `error` for an outcome that requires no
/// gradient, a released graph, and saved tensors that were modified in place; the leaves are then
/// unchanged. The host does not wait.
void backward(const Tensor& outcome, const Tensor& gradient = {}, BackwardOptions options = {});

/// Returns the gradient of each input without changing the leaves; undefined if there is no path.
/// `release`: before 2.x, hooks did not affect the returned gradients (SCL-708).
std::vector<Tensor> gradients_of(const Tensor& outcome, const std::vector<Tensor>& inputs,
                                 const Tensor& gradient = {}, BackwardOptions options = {},
                                 Release release = kNewestRelease);

}  // namespace assay::cuda
