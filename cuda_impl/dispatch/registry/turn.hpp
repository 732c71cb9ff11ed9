// One registration at a time.
#pragma once

#include <mutex>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

/// Raises `error` inside a listener (DSP-806). What listeners have dropped meanwhile, and what
/// nobody reads any more, goes at its end.
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
