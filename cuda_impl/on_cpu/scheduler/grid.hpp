// Runs a CUDA grid on the CPU.
#pragma once

#include <cstddef>
#include <span>

#include "cuda_impl/on_cpu/scheduler/fault.hpp"
#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/place.hpp"
#include "cuda_impl/on_cpu/scheduler/shared_array.hpp"

namespace assay::cuda::on_cpu {

struct GridRun {
  Dim3 grid = {};
  Dim3 block = {};
  /// Of each block, gaps between the arrays included; a multiple of 16.
  std::size_t static_shared_bytes = 0;
  /// What of it may be used: the rest is a red zone to the address sanitizer.
  std::span<const SharedArray> shared = {};
  /// Begins at static_shared_bytes.
  std::size_t dynamic_shared_bytes = 0;
};

/// What each CUDA thread does. Does not own what it refers to.
struct ThreadBody {
  void (*call)(const void* self);
  const void* self;
};

/// Runs every thread of the grid and returns when all have ended. Several threads of the host may
/// run grids at once, and a forked child may; a CUDA thread may not (std::logic_error). Blocks run
/// on the caller's thread and on workers that are kept for the next grid. Throws the KernelFault of
/// the first block, in the order in which blocks are started, that had one; blocks behind it may
/// not have run. An exception that leaves a body is such a fault too. std::invalid_argument for
/// dimensions that CUDA does not allow: none of anything, more than 1024 threads.
void run_grid(const GridRun& run, ThreadBody body);

/// `body()` is called once for each CUDA thread.
template <typename Body>
void run_grid(const GridRun& run, const Body& body) {
  run_grid(run, ThreadBody{[](const void* self) { (*static_cast<const Body*>(self))(); }, &body});
}

}  // namespace assay::cuda::on_cpu
