// A view as kernels walk it: with as few dimensions as its strides allow.
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Dimensions of size 1 are left out, the rest is ordered by stride and joined where one continues
/// another. Raises `error` where more than `StridedRow::kMostDims` are left. The tensor has
/// elements.
StridedRow strided_row(const Tensor& tensor);

}  // namespace assay::cuda
