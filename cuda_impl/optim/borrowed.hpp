// Access to tensors in loops without copying their handles: a copy costs two
// locked instructions.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Counts writes of a tensor that no other thread writes, without a locked instruction.
inline void count_own_writes(const Tensor& tensor, std::uint64_t writes) {
  if (tensor->is_inference) [[unlikely]] {
    for (std::uint64_t counted = 0; counted < writes; ++counted) tensor.bump_version();
    return;
  }
  Version& version = *tensor->version;
  version.store(version.load(std::memory_order_relaxed) + writes, std::memory_order_relaxed);
}

}  // namespace assay::cuda
