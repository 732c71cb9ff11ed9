// Zero-filled tensors; dense memory is cleared without a kernel.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Clears in place and counts one version. Does not wait.
void clear_(const Tensor& tensor);

/// Copies sizes, dtype and device, and the strides if the tensor is dense.
Tensor zeros_like(const Tensor& tensor);
Tensor zeros(Shape sizes, Dtype dtype, Device device);

}  // namespace assay::cuda
