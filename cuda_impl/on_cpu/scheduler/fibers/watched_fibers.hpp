// Fibers for CUDA threads under the thread sanitizer.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/hidden_lock.hpp"

namespace assay::cuda::on_cpu {

/// The sanitizer identifies a thread by its fiber, so two CUDA threads may share a fiber only if
/// they are ordered anyway: threads of two grids, if the launcher of the second one has waited for
/// the first. Creating a fiber takes the sanitizer half a millisecond, which reuse saves from the
/// second grid on.
class WatchedFibers {
 public:
  using Fibers = std::vector<std::unique_ptr<Fiber>>;

  WatchedFibers() = default;
  WatchedFibers(const WatchedFibers&) = delete;
  WatchedFibers& operator=(const WatchedFibers&) = delete;

  /// The fibers of grids that the calling host thread, or its stream, has waited for.
  static WatchedFibers& of_caller();

  /// Takes fibers for one block. Like give_back, called by the threads that run blocks.
  Fibers take(std::size_t count);
  /// Returns the fibers of a finished block; its grid may still be running.
  void give_back(Fibers fibers);
  /// The caller has waited for the grid, so its fibers may be reused.
  void grid_is_over();

 private:
  Fibers waited_for_;
  Fibers in_grid_;
  HiddenLock lock_;
};

}  // namespace assay::cuda::on_cpu
