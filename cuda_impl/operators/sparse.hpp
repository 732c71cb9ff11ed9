// Sparse COO tensors: one entry an index, in order.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The tensor itself where it is coalesced. Otherwise a new one, whose entries are sorted by their
/// index; values of the same index are added in the order in which they came, half types in
/// float32. Waits for the device: how many entries there will be decides on the memory.
Tensor coalesce(const Tensor& sparse);

}  // namespace assay::cuda
