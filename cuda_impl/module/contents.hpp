// Replaces or swaps the contents of tensor objects.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` if a gradient is required for a dtype without gradients.
void require_gradient_type(Dtype dtype, bool requires_grad);

/// MOVE-04: returns whether the object can adopt the data.
bool takes_data_of(const Tensor& tensor, const Tensor& data);
/// Keeps the object's gradient, hooks and version. Raises `error` if it requires gradients and the
/// new dtype has none.
void set_data(const Tensor& tensor, const Tensor& data);
/// Swaps everything except references and watchers. Raises `error` if one of the tensors is
/// watched, or saved by a graph. Gradients of earlier graphs can no longer be accumulated in them
/// (MOVE-10).
void swap_contents(const Tensor& left, const Tensor& right);

}  // namespace assay::cuda
