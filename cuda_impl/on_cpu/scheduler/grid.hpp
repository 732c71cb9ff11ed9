// Runs a CUDA grid on the CPU.
#pragma once

#include <cstddef>

#include "cuda_impl/on_cpu/scheduler/fault.hpp"
#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

struct GridRun {
  Dim3 grid = {};
  Dim3 block = {};
  std::size_t dynamic_shared_bytes = 0;  ///< per block
};

/// The function of each CUDA thread. Non-owning.
struct ThreadBody {
  void (*call)(const void* self);
  const void* self;
};

/// Runs all threads of the grid and returns when they have ended. Several host threads may run
/// grids concurrently, and so may a forked child; a CUDA thread may not (std::logic_error). Blocks
/// run on the calling thread and on workers, which are kept for later grids. Throws the KernelFault
/// of the first failed block in start order; later blocks may not have run. An exception from a
/// body is a fault as well. Throws std::invalid_argument for dimensions that CUDA does not permit:
/// zero, or more than 1024 threads in a block.
void run_grid(const GridRun& run, ThreadBody body);

/// Calls `body()` once for each CUDA thread.
template <typename Body>
void run_grid(const GridRun& run, const Body& body) {
  run_grid(run, ThreadBody{[](const void* self) { (*static_cast<const Body*>(self))(); }, &body});
}

}  // namespace assay::cuda::on_cpu
