// Stream captures, as far as they affect allocations (MEM-023).
#pragma once

#include <memory>

#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {

/// Owned by a graph or by the caller who requested it. Has a part on each device that uses it.
class CapturePool {
 public:
  CapturePool() = default;
  ~CapturePool();
  CapturePool(const CapturePool&) = delete;
  CapturePool& operator=(const CapturePool&) = delete;
};

namespace memory {

/// Costs one load.
bool is_capture_under_way();
/// Queries the driver, which also knows captures that were not declared to the allocator.
bool is_capturing(cudaStream_t stream);
/// The driver's number of the valid capture that the stream belongs to; 0: none.
unsigned long long number_of_capture(cudaStream_t stream);
/// Returns the pool of the capture that the stream belongs to; null if there is none.
const CapturePool* pool_of_capture(StreamUse stream);
/// Future captures of the stream allocate from the pool, as long as it has an owner.
void bind_capture_pool(StreamUse stream, const std::shared_ptr<CapturePool>& pool);
/// Ends the captures that are still in progress and unbinds all pools.
void end_captures();

}  // namespace memory
}  // namespace assay::cuda
