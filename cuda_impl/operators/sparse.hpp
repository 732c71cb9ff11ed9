// Coalescing of sparse COO tensors.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Returns the tensor itself if it is coalesced, otherwise a new one with sorted indices. Values of
/// equal indices are added in their original order, half types in float32. Indices must lie within
/// the sizes. Waits for the device once, because the memory size depends on the number of distinct
/// indices.
Tensor coalesce(const Tensor& sparse);

}  // namespace assay::cuda
