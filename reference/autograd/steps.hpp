// The few operators that backward needs for gradients themselves; each can be differentiated again.
#pragma once

#include "reference/autograd/node.hpp"

namespace assay::reference {

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right);
/// To another dtype; its own history is a `cast`, whose gradient comes back in the old dtype.
Tensor cast_to(Runtime& runtime, const Tensor& tensor, ScalarType dtype);
/// Sums over what was broadcast to get from `sizes` to the tensor's own sizes.
Tensor sum_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes);
/// The other way round: a tensor of its own, broadcast.
Tensor expand_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes);

}  // namespace assay::reference
