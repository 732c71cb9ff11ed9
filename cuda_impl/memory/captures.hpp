// Captures of the process that allocations must know of (MEM-023).
#pragma once

#include <memory>

#include "cuda_impl/core/lent_memory.hpp"

namespace assay::cuda {

/// Owned by a graph, or by whoever asked for one; has a part on each device that was used.
class CapturePool {
 public:
  CapturePool() = default;
  ~CapturePool();
  CapturePool(const CapturePool&) = delete;
  CapturePool& operator=(const CapturePool&) = delete;
};

namespace memory {

/// One load.
bool is_capture_under_way();
/// Asks the driver, which also knows of captures that nobody told the allocator of.
bool is_capturing(cudaStream_t stream);
/// The pool of the capture that the stream belongs to; null where there is none.
const CapturePool* pool_of_capture(StreamUse stream);
/// What that stream captures from now on comes from the pool, as long as somebody owns it.
void bind_capture_pool(StreamUse stream, const std::shared_ptr<CapturePool>& pool);
/// Those that were left are over, and nobody has a pool.
void end_captures();

}  // namespace memory
}  // namespace assay::cuda
