// An array in a block's shared memory.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// A shared array of a kernel. The bytes between arrays are unused and may be poisoned.
struct SharedArray {
  std::uint32_t offset;  ///< bytes from shared_memory()
  std::uint32_t size;    ///< bytes, exactly as declared
};

}  // namespace assay::cuda::on_cpu
