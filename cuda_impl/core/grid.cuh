// Grid-stride loops: the elements that a thread of a grid processes.
#pragma once

#include <cstdint>

namespace assay::cuda {

__device__ inline std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t index_stride() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

}  // namespace assay::cuda
