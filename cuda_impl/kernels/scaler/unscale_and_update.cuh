// The scale update in the same launch as the unscale: the last block performs it.
#pragma once

#include "cuda_impl/kernels/block_counters.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/update_scale.cuh"

namespace assay::cuda {

/// The number of finished blocks, one word for each stream; 0 before and after a launch.
inline constexpr unsigned kBlockCounters = 4096;
__device__ unsigned blocks_done[kBlockCounters];

/// Called by one thread of each block, after a barrier that follows the last write of all its
/// threads.
struct UpdateInLastBlock {
  ScaleUpdate update;
  BlockCounter counter;

  __device__ void operator()() const {
    const unsigned blocks = gridDim.x * gridDim.y;
    __threadfence();  // publishes this block's writes before it counts
    unsigned* const done = counter.own != nullptr ? counter.own : &blocks_done[counter.index];
    // The last block sees blocks - 1; atomicInc resets the word to 0 for the next launch.
    const unsigned before = atomicInc(done, blocks - 1);
    if (before != blocks - 1) return;
    __threadfence();  // makes the other blocks' writes visible here
    update_scale(update.state, update.factors);
  }
};

}  // namespace assay::cuda
