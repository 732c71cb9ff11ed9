// The update of the scale inside the launch that unscales: by the block that ends last.
#pragma once

#include "cuda_impl/core/planted.cuh"
#include "cuda_impl/kernels/unscale.hpp"
#include "cuda_impl/kernels/update_scale.cuh"

namespace assay::cuda {

/// How many blocks of a launch are done: one counter for each launch under way, zero before and
/// after it.
inline constexpr unsigned kBlockCounters = 8192;
__device__ unsigned blocks_done[kBlockCounters];

/// Which of the launch's blocks, in the order of their ends, updates the scale.
__device__ inline unsigned updating_block(unsigned blocks) {
  if (planted(Planted::kUpdateBeforeAllBlocks)) return 0;
  if (planted(Planted::kLastBlockTooEarly) && blocks > 1) return blocks - 2;
  return blocks - 1;
}

/// For one thread of each block, behind a barrier that its other threads have reached after their
/// last write.
struct UpdateInLastBlock {
  ScaleUpdate update;
  unsigned counter;

  __device__ void operator()() const {
    const unsigned blocks = gridDim.x * gridDim.y;
    __threadfence();  // what this block wrote is seen by whoever counts after it
    // The last one finds blocks - 1 and leaves 0 for the next launch.
    const unsigned before = atomicInc(&blocks_done[counter], blocks - 1);
    if (before != updating_block(blocks)) return;
    __threadfence();  // and what the others wrote is seen here
    update_scale(update.state, update.factors);
  }
};

}  // namespace assay::cuda
