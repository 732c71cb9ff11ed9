// The registry of calling threads, and reclamation.
#include "cuda_impl/dispatch/registry/grace.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace assay::cuda::dispatch {
namespace {

struct Garbage {
  std::uint64_t epoch;  ///< calls of this epoch may still read the object
  std::shared_ptr<const void> object;
};

struct Threads {
  std::mutex mutex;
  std::vector<ThreadState*> all;
  std::vector<Garbage> garbage;
  int observers = 0;
  /// If true, calls need no ordering of their own.
  bool has_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;

  std::uint32_t mode() const {
    return std::uint32_t{kPlain} | (observers > 0 ? kObserved : 0U) | (has_barrier ? 0U : kOrders);
  }
  /// Sets or clears a mode bit in all threads.
  void set_bit(std::uint32_t bit, bool value) {
    for (ThreadState* thread : all) {
      if (value) {
        thread->mode.fetch_or(bit);
      } else {
        thread->mode.fetch_and(~bit);
      }
    }
  }
};

/// Never destroyed, because threads may end after static objects.
Threads& threads() {
  static Threads& all = *new Threads;  // NOLINT
  return all;
}

/// Registers a thread for its lifetime.
class Known {
 public:
  Known() {
    Threads& known = threads();
    const std::scoped_lock lock(known.mutex);
    known.all.push_back(&thread_state);
    thread_state.mode = known.mode();
  }
  ~Known() {
    Threads& known = threads();
    const std::scoped_lock lock(known.mutex);
    std::erase(known.all, &thread_state);
  }
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;
};

/// Afterwards, everything that other threads wrote before their last reads is visible.
bool order_reads(const Threads& known) {
  if (known.has_barrier) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
  }
  epoch.fetch_add(0, std::memory_order_acq_rel);
  return true;
}

/// Returns the epoch of the oldest running call. Requires the mutex.
std::uint64_t oldest_call(const Threads& known) {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const ThreadState* thread : known.all) {
    const std::uint64_t inside = thread->inside.load(std::memory_order_acquire);
    if (inside != 0) oldest = std::min(oldest, inside);
  }
  return oldest;
}

void ask_again(const Threads& known) {
  for (ThreadState* thread : known.all) {
    if (thread->inside.load(std::memory_order_relaxed) != 0) thread->mode.fetch_or(kCollects);
  }
}

std::vector<Garbage> taken_out(Threads& known) {
  const std::scoped_lock lock(known.mutex);
  if (known.garbage.empty() || !order_reads(known)) return {};
  const std::uint64_t oldest = oldest_call(known);
  const auto first = std::stable_partition(known.garbage.begin(), known.garbage.end(),
                                           [&](const Garbage& one) { return one.epoch >= oldest; });
  std::vector<Garbage> free(std::make_move_iterator(first),
                            std::make_move_iterator(known.garbage.end()));
  known.garbage.erase(first, known.garbage.end());
  if (!known.garbage.empty()) ask_again(known);
  return free;
}

}  // namespace

void register_thread() { thread_local const Known known; }

void count_observers(int by) {
  Threads& known = threads();
  const std::scoped_lock lock(known.mutex);
  known.observers += by;
  known.set_bit(kObserved, known.observers > 0);
}

void order_by_barrier(bool does) {
  Threads& known = threads();
  const std::scoped_lock lock(known.mutex);
  known.has_barrier = does;
  known.set_bit(kOrders, !does);
}

bool is_ordered_by_barrier() {
  Threads& known = threads();
  const std::scoped_lock lock(known.mutex);
  return known.has_barrier;
}

void retire(std::shared_ptr<const void> unused) {
  if (unused == nullptr) return;
  Threads& known = threads();
  const std::scoped_lock lock(known.mutex);
  const std::uint64_t last = epoch.fetch_add(1, std::memory_order_acq_rel);
  known.garbage.push_back({last, std::move(unused)});
}

void collect() {
  thread_state.mode.fetch_and(~std::uint32_t{kCollects});
  const std::vector<Garbage> freed = taken_out(threads());
}

}  // namespace assay::cuda::dispatch
