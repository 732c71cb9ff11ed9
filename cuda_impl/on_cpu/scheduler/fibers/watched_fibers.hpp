// Stacks for CUDA threads that the thread sanitizer watches.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/hidden_lock.hpp"

namespace assay::cuda::on_cpu {

/// The sanitizer takes what runs on a fiber for one thread, so two CUDA threads may share one only
/// if they are ordered anyway: those of two grids, where whoever launches the second has waited for
/// the first. Making a fiber costs the sanitizer half a millisecond, which this saves from the
/// second grid on.
class WatchedFibers {
 public:
  using Fibers = std::vector<std::unique_ptr<Fiber>>;

  WatchedFibers() = default;
  WatchedFibers(const WatchedFibers&) = delete;
  WatchedFibers& operator=(const WatchedFibers&) = delete;

  /// Those that the calling thread of the host, or the stream that runs on it, has waited for.
  static WatchedFibers& of_caller();

  /// For one block. As give_back, called from the threads that run blocks.
  Fibers take(std::size_t count);
  /// Of a block that is over; its grid may not be.
  void give_back(Fibers fibers);
  /// The caller has waited for the grid: its fibers may be used again.
  void grid_is_over();

 private:
  Fibers waited_for_;
  Fibers in_grid_;
  HiddenLock lock_;
};

}  // namespace assay::cuda::on_cpu
