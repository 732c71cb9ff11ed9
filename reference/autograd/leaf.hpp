// Gradient accumulation in leaves.
#pragma once

#include "reference/autograd/node.hpp"

namespace assay::reference {

/// Returns the node that accumulates a leaf's gradient. It is shared by all uses of the leaf while
/// it lives, and owns the leaf (CAST-512); its stream is that of the first use (STR-036).
std::shared_ptr<Node> accumulator_of(Runtime& runtime, const Tensor& leaf);

/// MOVE-10: the contents of the leaf are swapped. Its accumulator of earlier graphs, if one lives,
/// raises `error` when a backward reaches it.
void poison_accumulator(const Tensor& leaf);

/// `tensor.grad = grad` as in Python; undefined clears it. Raises `error` for another size, dtype
/// or device, and for the tensor itself (CORE-11).
void assign_grad(const Tensor& tensor, const Tensor& grad);

}  // namespace assay::reference
