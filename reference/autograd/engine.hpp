// Backward: gradients flow from results to where they came from.
#pragma once

#include "reference/autograd/node.hpp"

namespace assay::reference {

struct BackwardOptions {
  bool create_graph = false;  ///< gradients have a history of their own
  bool retain_graph = false;  ///< nodes keep what they saved
};

/// Adds up in the leaves. Without `gradient` the root must have one element, and starts with 1.
/// Raises `error` for a root that requires no gradient.
void backward(Runtime& runtime, const Tensor& root, const Tensor& gradient = {},
              BackwardOptions options = {});

/// The gradients of `root` with respect to each of `inputs`, undefined where there is no path.
/// Nothing is added to any leaf.
std::vector<Tensor> gradients_of(Runtime& runtime, const Tensor& root,
                                 const std::vector<Tensor>& inputs, const Tensor& gradient = {},
                                 BackwardOptions options = {});

}  // namespace assay::reference
