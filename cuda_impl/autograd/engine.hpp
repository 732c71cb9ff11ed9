// Backward: gradients go from an outcome to the leaves that it was made of.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

struct BackwardOptions {
  bool retain_graph = false;  ///< otherwise the graph is used up
  bool create_graph = false;  ///< gradients have a history themselves
};

/// Adds to the gradient of every leaf behind `outcome`. `gradient` is that of the outcome;
/// undefined: ones, for an outcome of one element. Raises `error` for an outcome that requires no
/// gradient, for a graph that is used up, and for saved tensors that were written to. The host does
/// not wait. Where it raises, no leaf has changed.
void backward(const Tensor& outcome, const Tensor& gradient = {}, BackwardOptions options = {});

/// The gradient of each input, and the leaves keep theirs. Undefined where no way leads from the
/// outcome to the input. `release`: before 2.x, hooks did not change what was asked for (SCL-708).
std::vector<Tensor> gradients_of(const Tensor& outcome, const std::vector<Tensor>& inputs,
                                 const Tensor& gradient = {}, BackwardOptions options = {},
                                 Release release = Release::k2_11);

}  // namespace assay::cuda
