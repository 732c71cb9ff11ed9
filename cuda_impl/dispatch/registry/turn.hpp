// The exclusive lock of registrations.
#pragma once

#include <mutex>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

/// Raises `error` inside a listener (DSP-806). Its end runs the removals that listeners requested
/// and frees tables that no call reads any more.
class Dispatcher::Turn {
 public:
  explicit Turn(Dispatcher& dispatcher);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Dispatcher& dispatcher_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace assay::cuda::dispatch
