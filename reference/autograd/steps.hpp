// Differentiable operators that the backward pass itself uses.
#pragma once

#include "reference/autograd/node.hpp"
#include "reference/core/tensor/copy.hpp"

namespace assay::reference {

/// Returns whether the tensor has elements but no storage, like tensors for dispatch tests and
/// results that are not computed.
bool has_no_data(const Tensor& tensor);
/// Returns a tensor of the same shape and the given dtype without storage.
Tensor without_data(const Tensor& tensor, ScalarType dtype);

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right);
/// Converts the dtype and records a `cast`, which converts the gradient back.
Tensor cast_to(Runtime& runtime, const Tensor& tensor, ScalarType dtype);
/// Sums over the dimensions along which `sizes` was broadcast.
Tensor sum_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes);
/// `expand` with history.
Tensor expanded(Runtime& runtime, const Tensor& tensor, const Shape& sizes);
/// Records that `part` is a view into `whole` and returns `part`.
Tensor narrowed_history(Runtime& runtime, const Tensor& whole, const Tensor& part);
/// `to` with history.
Tensor converted(Runtime& runtime, const Tensor& tensor, const ToOptions& options);

}  // namespace assay::reference
