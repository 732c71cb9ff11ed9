// The update of the scale inside the launch that unscales: by the block that ends last.
#pragma once

#include "cuda_impl/kernels/block_counters.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/update_scale.cuh"

namespace assay::cuda {

/// How many blocks of a launch are done: a word for each stream, 0 before and after the launch.
inline constexpr unsigned kBlockCounters = 4096;
__device__ unsigned blocks_done[kBlockCounters];

/// For one thread of each block, behind a barrier that its other threads have reached after their
/// last write.
struct UpdateInLastBlock {
  ScaleUpdate update;
  BlockCounter counter;

  __device__ void operator()() const {
    const unsigned blocks = gridDim.x * gridDim.y;
    __threadfence();  // what this block wrote is seen by whoever counts after it
    unsigned* const done = counter.own != nullptr ? counter.own : &blocks_done[counter.index];
    // The last one finds blocks - 1 and leaves 0 for the next launch.
    const unsigned before = atomicInc(done, blocks - 1);
    if (before != blocks - 1) return;
    __threadfence();  // and what the others wrote is seen here
    update_scale(update.state, update.factors);
  }
};

}  // namespace assay::cuda
