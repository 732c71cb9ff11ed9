// The slow path: registers the thread and collects retired objects.
#include "cuda_impl/dispatch/call/slow_path.hpp"

namespace assay::cuda::dispatch {

void start_slow_path() {
  const ThreadState& thread = registered_thread();
  const bool is_asked = (thread.mode.load(std::memory_order_relaxed) & kCollects) != 0;
  if (is_asked && thread.inside.load(std::memory_order_relaxed) == 0) collect();
}

}  // namespace assay::cuda::dispatch
