// What all threads of a block find out together.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"

namespace assay::cuda {

/// In shared memory. Every thread of the block calls, and every thread gets the result.
template <typename Wide>
struct InBlock {
  using Reduce = cub::BlockReduce<Wide, kBlock>;
  typename Reduce::TempStorage scratch;
  Wide result;

  template <typename ValueAt>
  __device__ Wide reduced(std::int64_t count, Joined joined, const ValueAt& value_at) {
    const Join<Wide> join{joined};
    Wide value = join.neutral();
    for (std::int64_t i = threadIdx.x; i < count; i += kBlock) value = join(value, value_at(i));
    value = Reduce(scratch).Reduce(value, join);
    if (threadIdx.x == 0) result = value;
    __syncthreads();
    value = result;
    __syncthreads();  // the next one uses the same memory
    return value;
  }
};

}  // namespace assay::cuda
