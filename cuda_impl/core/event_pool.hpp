// Events without timing, of which each device has a pool: whoever is done with one gives it back.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda_impl/core/lent_memory.hpp"

namespace assay::cuda {

/// A point in the work of a stream. Any thread may use one, one at a time.
class PooledEvent {
 public:
  PooledEvent() = default;
  /// At the end of what the stream has to do now. Raises `device`; the current device stays.
  explicit PooledEvent(StreamUse stream);
  ~PooledEvent();
  PooledEvent(PooledEvent&& other) noexcept;
  PooledEvent& operator=(PooledEvent&& other) noexcept;
  PooledEvent(const PooledEvent&) = delete;
  PooledEvent& operator=(const PooledEvent&) = delete;

  /// Is everything before it done? Raises `device`.
  bool is_done() const;
  void wait() const;
  /// What that stream, whose device is current, does from now on comes after it.
  void hold_back(cudaStream_t stream) const;

 private:
  int device_ = 0;
  cudaEvent_t event_ = nullptr;
};

/// Destroys the events of all pools.
void forget_pooled_events();

}  // namespace assay::cuda
