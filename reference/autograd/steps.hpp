// The few operators that backward needs for gradients themselves; each can be differentiated again.
#pragma once

#include "reference/autograd/node.hpp"
#include "reference/core/tensor/copy.hpp"

namespace assay::reference {

/// Does it have elements but no storage? So do tensors that only probe dispatch, and results that
/// are not computed.
bool has_no_data(const Tensor& tensor);
/// A tensor of this one's shape without storage, in that dtype.
Tensor without_data(const Tensor& tensor, ScalarType dtype);

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right);
/// To another dtype; its own history is a `cast`, whose gradient comes back in the old dtype.
Tensor cast_to(Runtime& runtime, const Tensor& tensor, ScalarType dtype);
/// Sums over what was broadcast to get from `sizes` to the tensor's own sizes.
Tensor sum_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes);
/// `expand`, with history.
Tensor expanded(Runtime& runtime, const Tensor& tensor, const Shape& sizes);
/// `part` is a view into `whole`: its history is that it was taken out of it. Returns `part`.
Tensor narrowed_history(Runtime& runtime, const Tensor& whole, const Tensor& part);
/// `to`, with history.
Tensor converted(Runtime& runtime, const Tensor& tensor, const ToOptions& options);

}  // namespace assay::reference
