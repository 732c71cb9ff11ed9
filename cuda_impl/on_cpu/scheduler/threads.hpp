// The position of a CUDA thread in its grid, and the requests of a running thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::cuda::on_cpu {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct ThreadPlace {
  Dim3 grid;             ///< gridDim
  Dim3 block;            ///< blockDim
  Dim3 block_index;      ///< blockIdx
  Dim3 thread_index;     ///< threadIdx
  std::uint32_t linear;  ///< index in the block, x fastest; lane linear % 32 of warp linear / 32

  std::uint32_t lane() const { return linear % 32; }
  std::uint32_t warp() const { return linear / 32; }
};

// All of these throw std::logic_error if no CUDA thread is running. Functions that wait let
// other threads of the block run on the same host thread. To end a failed grid, they throw
// through the frames of the thread, so a kernel must not be noexcept and must not catch all
// exceptions.

/// By value: a copy stays correct when other threads run.
ThreadPlace place();

/// The votes of the threads at a barrier; threads that have exited have none.
struct Votes {
  bool all;
  bool any;
  std::uint32_t count;
};

/// Waits for all threads of the block that have not exited: the basis of __syncthreads() and its
/// variants with a vote. Writes before it are visible after it.
Votes block_barrier(bool vote);

/// The result of an exchange between the lanes of a warp.
struct Exchange {
  /// 32 values, by lane; all ones for a lane that does not participate. Valid until the next call.
  const std::uint64_t* deposits;
  /// The participants: lanes of the mask that exist and have not exited.
  std::uint32_t lanes;
};

/// Waits for the other lanes of `mask` and returns the values of all: the basis of shuffles and
/// __syncwarp(). Writes before it are visible after it only with `orders_memory` (__syncwarp()).
/// Faults: a lane outside its own mask, lanes that wait for each other with
/// different masks, and a mask of which only some lanes order memory.
Exchange warp_exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory);

/// A fence in a form that the thread sanitizer understands: writes of any thread of the grid before
/// its fence are visible after a later fence of another thread.
void memory_fence();

/// The block's dynamic shared memory, aligned to 256 bytes.
std::byte* shared_memory();

/// A shared variable of the block, aligned to 16 bytes: the first call with a name makes it, with
/// the options' fill and a red zone on either side; later calls of the block return the same one.
/// At most 48 KiB in all.
std::byte* shared_variable(const void* name, std::size_t bytes);

/// A trap or invalid access: ends the grid with a KernelFault that names block and thread.
[[noreturn]] void kernel_fault(const std::string& reason);
/// The same for a function that must not throw: what is on the thread's stack is not destroyed.
[[noreturn]] void end_faulty_thread(std::string&& reason);

}  // namespace assay::cuda::on_cpu
