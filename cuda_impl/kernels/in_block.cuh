// Reductions over the threads of a block.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"

namespace assay::cuda {

/// Lives in shared memory. All threads of the block must call; all of them get the result.
template <typename Wide>
struct InBlock {
  using Reduce = cub::BlockReduce<Wide, kBlock>;
  typename Reduce::TempStorage scratch;
  Wide result;

  template <typename ValueAt>
  __device__ Wide reduced(std::int64_t count, Combination combination, const ValueAt& value_at) {
    const Combine<Wide> combine{combination};
    Wide value = combine.neutral();
    for (std::int64_t i = threadIdx.x; i < count; i += kBlock) value = combine(value, value_at(i));
    value = Reduce(scratch).Reduce(value, combine);
    if (threadIdx.x == 0) result = value;
    __syncthreads();
    value = result;
    __syncthreads();  // the next reduction reuses this memory
    return value;
  }
};

}  // namespace assay::cuda
