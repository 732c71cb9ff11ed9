// Simplifies a view's geometry for the strided unscale kernel.
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Drops dimensions of size 1, sorts the others by stride and merges
/// adjacent ones. Raises `error` if more than `StridedRow::kMostDims`
/// dimensions remain. The tensor must have elements.
StridedRow strided_row(const TensorBody& tensor);

}  // namespace assay::cuda
