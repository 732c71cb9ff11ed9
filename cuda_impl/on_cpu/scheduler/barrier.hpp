// The barrier of a block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

class Barrier {
 public:
  /// A waiting thread, with the place for its result.
  struct Waiter {
    std::uint32_t thread;
    Votes* result;
  };

  void begin(std::uint32_t threads);
  /// Registers the arrival of the caller.
  void arrive(bool vote);
  /// The caller waits until the barrier opens. Call directly before the thread gives way.
  void wait(const Waiter& waiter) { waiters_.push_back(waiter); }
  /// Returns whether all threads that have not exited have arrived.
  bool is_full() const { return arrived_ != 0 && arrived_ >= live_; }
  /// Opens a full barrier: stores the waiters' results, returns them
  /// to be resumed, and resets the barrier. `votes` is for the caller,
  /// if it arrived last. The span is valid until the next wait.
  std::span<const Waiter> open(Votes& votes);
  void pass() { point_.acquire(); }
  /// A thread has exited: the barrier expects one less.
  void exit() { --live_; }
  std::uint32_t live() const { return live_; }

 private:
  static constexpr Votes kNoVotes{true, false, 0};

  std::uint32_t live_ = 0;
  std::uint32_t arrived_ = 0;
  Votes votes_ = kNoVotes;
  std::vector<Waiter> waiters_;
  std::vector<Waiter> woken_;
  SyncPoint point_;
};

}  // namespace assay::cuda::on_cpu
