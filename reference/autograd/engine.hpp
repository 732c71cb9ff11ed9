// The backward engine: propagates gradients from a result to the leaves.
#pragma once

#include "reference/autograd/node.hpp"

namespace assay::reference {

struct BackwardOptions {
  bool create_graph = false;  ///< records the gradients' own history
  bool retain_graph = false;  ///< nodes keep their saved tensors
};

/// Accumulates gradients in the leaves. Without `gradient`, the root must have one element and its
/// gradient is 1. Raises `error` if the root requires no gradient.
void backward(Runtime& runtime, const Tensor& root, const Tensor& gradient = {},
              BackwardOptions options = {});

/// Returns the gradients of `root` for each of `inputs`; undefined without a path. Does not modify
/// the leaves.
std::vector<Tensor> gradients_of(Runtime& runtime, const Tensor& root,
                                 const std::vector<Tensor>& inputs, const Tensor& gradient = {},
                                 BackwardOptions options = {});

}  // namespace assay::reference
