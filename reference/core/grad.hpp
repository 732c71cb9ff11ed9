// Just enough of backward: gradients flow from a result to where it came from, and add up in
// leaves.
#pragma once

#include "reference/core/tensor.hpp"

namespace assay::reference {

/// Hands `grad` to `target`: on through its grad_fn, or into its `.grad` if it is a leaf that
/// requires one. Anything else takes no gradient.
void send_grad(Runtime& runtime, const Tensor& target, const Tensor& grad);

/// From a result of one element, with gradient 1. Raises `error` for anything else.
void backward(Runtime& runtime, const Tensor& root);

}  // namespace assay::reference
