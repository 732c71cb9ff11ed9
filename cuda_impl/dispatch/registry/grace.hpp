// Epoch-based reclamation: a call records the epoch at which it began, and a retired object is
// freed when all calls that began before have ended (DSP-803, DSP-615).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::dispatch {

/// Bits of ThreadState::mode.
enum ThreadMode : std::uint32_t {
  kPlain = 1,     ///< the thread is registered; alone: the fast path
  kObserved = 2,  ///< calls are observed or printed
  kCollects = 4,  ///< some reclamation waits for this thread's calls
  kOrders = 8,    ///< calls order their own reads (`order_by_barrier`)
};

/// The number of changes. Threads store the value that they have seen in `ThreadState::inside`.
inline constinit std::atomic<std::uint64_t> epoch = 1;

/// A scope in which the thread may read tables, such as a call. The thread must be registered
/// (`register_thread`) with mode `kPlain`. Nothing that was in use when the outermost scope began
/// is freed before it ends.
class ReadScope {
 public:
  [[gnu::always_inline]] explicit ReadScope(ThreadState& thread)
      : thread_(thread), before_(thread.inside.load(std::memory_order_relaxed)) {
    // Acquire: a thread that sees an epoch also sees its tables.
    const std::uint64_t now = epoch.load(std::memory_order_acquire);
    thread.inside.store(before_ == 0 ? now : before_, std::memory_order_relaxed);
    // A compiler fence only: `collect` issues the hardware barrier for all threads.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  [[gnu::always_inline]] ~ReadScope() { thread_.inside.store(before_, std::memory_order_release); }
  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

 private:
  ThreadState& thread_;
  const std::uint64_t before_;
};

/// Like `ReadScope`, for any mode. If calls order their own reads, a locked instruction orders this
/// one with epoch changes: either the reclaimer sees the call, or the call sees all earlier
/// changes.
class ReadScopeAnyMode : public ReadScope {
 public:
  explicit ReadScopeAnyMode(ThreadState& thread) : ReadScope(thread) {
    if ((thread.mode.load(std::memory_order_relaxed) & kOrders) != 0) [[unlikely]]
      epoch.fetch_add(0, std::memory_order_acq_rel);
  }
};

/// Registers the calling thread until it ends. Idempotent.
void register_thread();
/// Registers the calling thread if necessary.
inline ThreadState& registered_thread() {
  if (thread_state.mode.load(std::memory_order_relaxed) == 0) register_thread();
  return thread_state;
}

/// Adds to the number of observers. While it is
/// not 0, calls on all threads take the slow path.
void count_observers(int by);

/// Selects how the reads of calls are ordered: by `membarrier`, or by the calls themselves, which
/// costs the slow path and a locked instruction each. The default is membarrier if the kernel has
/// it. For tests; no call may be running.
void order_by_barrier(bool does);
bool is_ordered_by_barrier();

/// Frees the object when no running call can read it any more.
void retire(std::shared_ptr<const void> unused);
/// Frees what can be freed, on this thread and without a lock. The rest is freed by the next call
/// on each thread that still blocked it.
void collect();

}  // namespace assay::cuda::dispatch
