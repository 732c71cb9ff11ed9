// Leaves: where gradients add up.
#pragma once

#include "reference/autograd/node.hpp"

namespace assay::reference {

/// The node that takes the gradient of a leaf. All uses of a leaf share it as long as it lives; it
/// owns the leaf (CAST-512).
std::shared_ptr<Node> accumulator_of(const Tensor& leaf);

/// `tensor.grad = grad`, as a client may write it; undefined for none. Raises `error` for one of
/// another size, dtype or device, and for the tensor itself (CORE-11).
void assign_grad(const Tensor& tensor, const Tensor& grad);

}  // namespace assay::reference
