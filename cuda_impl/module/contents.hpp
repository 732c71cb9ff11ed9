// Contents of tensors: which objects can take another's, and how they do.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` for a type without gradients where one is required.
void require_gradient_type(Dtype dtype, bool requires_grad);

/// MOVE-04: can the object stay, and show these data from now on?
bool takes_data_of(const Tensor& tensor, const Tensor& data);
/// The object keeps its gradient, hooks and version. Raises `error` where it requires gradients
/// that the new type does not have.
void set_data(const Tensor& tensor, const Tensor& data);
/// Everything but who holds and watches them. Raises `error` for a tensor that is watched
/// (MOVE-10).
void swap_contents(const Tensor& left, const Tensor& right);

}  // namespace assay::cuda
