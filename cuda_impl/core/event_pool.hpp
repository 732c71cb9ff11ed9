// Pools of CUDA events without timing, one for each device. Events return to their pool after use.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {

/// An event recorded in a stream. Threads may use it one at a time.
class PooledEvent {
 public:
  PooledEvent() = default;
  /// Recorded behind the stream's present work. Raises `device`; keeps the current device.
  explicit PooledEvent(StreamUse stream);
  ~PooledEvent();
  PooledEvent(PooledEvent&& other) noexcept;
  PooledEvent& operator=(PooledEvent&& other) noexcept;
  PooledEvent(const PooledEvent&) = delete;
  PooledEvent& operator=(const PooledEvent&) = delete;

  /// Returns whether all work before the event has finished. Raises `device`.
  bool is_done() const;
  void wait() const;
  /// Makes later work of `stream`, whose device must be current, wait for the event.
  void hold_back(cudaStream_t stream) const;

 private:
  int device_ = 0;
  cudaEvent_t event_ = nullptr;
};

/// Destroys the events in all pools.
void forget_pooled_events();

}  // namespace assay::cuda
