// Reclaiming what calls may still be reading: a call writes down when it began, and what was taken
// out of use is freed when all calls that began before have ended (DSP-803, DSP-615).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::dispatch {

/// Bits of ThreadState::mode.
enum ThreadMode : std::uint32_t {
  kPlain = 1,     ///< known here, and nothing else
  kObserved = 2,  ///< somebody observes calls, or wants them printed
  kCollects = 4,  ///< something waits for calls of this thread to end
  kOrders = 8,    ///< a call orders its reads itself (`order_by_barrier`)
};

/// Counts changes. Threads write to `ThreadState::inside` which they have seen.
inline constinit std::atomic<std::uint64_t> epoch = 1;

/// A call on this thread, or whatever else reads tables. The thread must be known (`know_thread`),
/// and its mode `kPlain`. Nothing that was in use when the outermost one began is freed before it
/// ends.
class Inside {
 public:
  explicit Inside(ThreadState& thread)
      : thread_(thread), before_(thread.inside.load(std::memory_order_relaxed)) {
    // Whoever sees an epoch sees the tables that it came with.
    const std::uint64_t now = epoch.load(std::memory_order_acquire);
    thread.inside.store(before_ == 0 ? now : before_, std::memory_order_relaxed);
    // Against the compiler alone: `collect` makes the machines of all threads wait.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Inside() { thread_.inside.store(before_, std::memory_order_release); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  ThreadState& thread_;
  const std::uint64_t before_;
};

/// The same on a thread of any mode. Where calls order their reads, each takes its place among the
/// changes of the epoch: whoever frees sees that this call is inside, or the call sees all that
/// was changed before.
class InsideAnyMode : public Inside {
 public:
  explicit InsideAnyMode(ThreadState& thread) : Inside(thread) {
    if ((thread.mode.load(std::memory_order_relaxed) & kOrders) != 0) [[unlikely]]
      epoch.fetch_add(0, std::memory_order_acq_rel);
  }
};

/// Makes the calling thread known until it ends. Once is enough.
void know_thread();
/// The same, where a call has not been here yet.
inline ThreadState& known_thread() {
  if (thread_state.mode.load(std::memory_order_relaxed) == 0) know_thread();
  return thread_state;
}

/// How many observers there are changes by this; as long as there is one, calls of all threads take
/// the long way.
void count_observers(int by);

/// Is what calls read ordered by the machines' barrier (`membarrier`), or by themselves, which
/// costs each the long way and a locked instruction? The barrier at first, where the kernel has
/// one. For tests; no call may be under way.
void order_by_barrier(bool does);
bool is_ordered_by_barrier();

/// Frees it when no call that may read it is left.
void retire(std::shared_ptr<const void> unused);
/// Frees what can be freed, on this thread and without a lock. The rest is asked for again by the
/// next calls of the threads that still need it.
void collect();

}  // namespace assay::cuda::dispatch
