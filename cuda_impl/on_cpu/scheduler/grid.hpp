// Runs a CUDA grid on the CPU; with the faults that end it: traps, invalid accesses and deadlocks.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

/// `what()` has the reason and the position: "trap (block (2,0,0), thread (31,0,0))". For a fault
/// of a whole block, such as a deadlock, only the block.
class KernelFault : public std::runtime_error {
 public:
  KernelFault(std::string reason, const Dim3& block_index);
  KernelFault(std::string reason, const Dim3& block_index, const Dim3& thread_index);

  const std::string& reason() const { return reason_; }
  const Dim3& block_index() const { return block_index_; }

 private:
  std::string reason_;
  Dim3 block_index_;
};

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
