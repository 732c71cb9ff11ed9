// Zeros, without a kernel where memory has no gaps.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// In place, one version. Does not wait.
void clear_(const Tensor& tensor);

/// Same sizes, dtype and device; strides too where the tensor is dense.
Tensor zeros_like(const Tensor& tensor);
Tensor zeros(Shape sizes, Dtype dtype, Device device);

}  // namespace assay::cuda
