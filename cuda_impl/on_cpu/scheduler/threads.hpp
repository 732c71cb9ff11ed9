// What a running CUDA thread may ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

// All of these throw std::logic_error where no CUDA thread is running. Those that wait let other
// threads of the block run meanwhile, on the same thread of the host. They end a grid that has gone
// wrong by throwing through the thread's frames, so a kernel must neither be noexcept nor catch
// everything.

/// By value: a copy stays right when other threads run.
ThreadPlace place();

/// What the threads that met at a barrier said; those that have exited have no vote.
struct Votes {
  bool all;
  bool any;
  std::uint32_t count;
};

/// bar.sync, bar.red: waits for all threads of the block that have not exited, or, where `threads`
/// is given (a multiple of 32), until that many have arrived. Writes before it are seen after it.
/// There are barriers 0 to 15. Threads that give one barrier different counts are a fault.
Votes block_barrier(bool vote, std::uint32_t barrier = 0, std::uint32_t threads = 0);

/// bar.arrive: counts as one of `threads` and does not wait.
void arrive_at_barrier(std::uint32_t barrier, std::uint32_t threads);

/// What the lanes of a warp gave each other.
struct Exchange {
  /// 32 values, by lane; all ones for a lane that took no part. Valid until the caller's next call.
  const std::uint64_t* deposits;
  /// Who took part: the lanes of the mask that exist and have not exited.
  std::uint32_t lanes;
};

/// Waits for the other lanes of `mask` and shows what each deposited; votes, shuffles, matches and
/// bar.warp.sync are made of it. Only with `orders_memory` (bar.warp.sync) are writes before it
/// seen after it. Faults: a lane that is not in its own mask; lanes that wait for each other with
/// different masks; one lane of a mask that orders memory while another does not.
Exchange warp_exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory);

/// Lanes that are sure to run together with the caller: the caller alone. CUDA promises no more, so
/// code that hopes for the whole warp shows itself.
std::uint32_t active_mask();

/// A fence as the thread sanitizer can see it, which does not know fences: what a thread of the
/// grid has written before its own is known to whoever passes one later.
void memory_fence();

/// Lets the other threads of the block run: for loops that wait for them (nanosleep).
void yield();

/// The block's shared memory, aligned to 256 bytes: the static part, then the dynamic.
std::byte* shared_memory();

/// What is there in all (%total_smem_size, less what CUDA adds to it).
std::size_t shared_memory_bytes();

/// A trap or an illegal access: ends the grid with a KernelFault that names block and thread.
[[noreturn]] void kernel_fault(const std::string& reason);

}  // namespace assay::cuda::on_cpu
