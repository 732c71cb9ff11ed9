// Coalescing on a device.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Like `coalesce`, for a tensor with entries whose indices and values are on one CUDA device and
/// that is not coalesced. Waits once, for the number of distinct indices.
Tensor coalesce_on_cuda(const Tensor& sparse);

}  // namespace assay::cuda
