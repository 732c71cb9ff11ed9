// Fibers for CUDA threads under the thread sanitizer.
#include "cuda_impl/on_cpu/scheduler/fibers/watched_fibers.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>
#include <mutex>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// The sanitizer needs a megabyte for each and supports at most 8128 threads.
constexpr std::size_t kMostKept = 1024;
/// The most recent ones on a host thread.
constexpr std::size_t kMostOwners = 3;

struct Owner {
  explicit Owner(void* caller) : fiber(caller) {}

  void* fiber;  ///< the sanitizer's identity of the launching thread
  WatchedFibers fibers;
};

void move_some(WatchedFibers::Fibers& from, WatchedFibers::Fibers& to, std::size_t most) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, from.size()));
  to.insert(to.end(), std::make_move_iterator(from.end() - count),
            std::make_move_iterator(from.end()));
  from.erase(from.end() - count, from.end());
}

}  // namespace

WatchedFibers& WatchedFibers::of_caller() {
  thread_local std::list<Owner> owners;
  void* const caller = __tsan_get_current_fiber();
  const auto is_callers = [&](const Owner& owner) { return owner.fiber == caller; };
  const auto found = std::find_if(owners.begin(), owners.end(), is_callers);
  if (found != owners.end()) {
    owners.splice(owners.begin(), owners, found);
  } else {
    if (owners.size() == kMostOwners) owners.pop_back();
    owners.emplace_front(caller);
  }
  return owners.front().fibers;
}

WatchedFibers::Fibers WatchedFibers::take(std::size_t count) {
  Fibers taken;
  {
    const std::lock_guard lock(lock_);
    move_some(waited_for_, taken, count);
  }
  while (taken.size() < count) taken.push_back(std::make_unique<Fiber>(taken.size()));
  return taken;
}

void WatchedFibers::give_back(Fibers fibers) {
  const std::lock_guard lock(lock_);
  move_some(fibers, in_grid_, kMostKept - std::min(kMostKept, in_grid_.size()));
}

void WatchedFibers::grid_is_over() {
  move_some(in_grid_, waited_for_, kMostKept - std::min(kMostKept, waited_for_.size()));
  in_grid_.clear();
}

}  // namespace assay::cuda::on_cpu
