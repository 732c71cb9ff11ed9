// The barriers of a block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

struct BarrierCall {
  bool vote;
  std::uint32_t barrier;
  std::uint32_t threads;  ///< 0: all threads that have not exited
};

class Barriers {
 public:
  static constexpr std::uint32_t kCount = 16;

  /// A waiting thread, with the place for its result.
  struct Waiter {
    std::uint32_t thread;
    Votes* result;
  };

  void begin(std::uint32_t threads);
  /// Describes an error in the call; empty if it is valid.
  std::string objection(const BarrierCall& call) const;
  /// Registers the arrival of the caller.
  void arrive(const BarrierCall& call);
  /// The caller waits until the barrier opens. Call directly before the thread yields.
  void wait(std::uint32_t barrier, const Waiter& waiter);
  /// Returns whether all expected threads have arrived.
  bool is_full(std::uint32_t barrier) const;
  /// Opens a full barrier: stores the waiters' results, returns them
  /// to be resumed, and resets the barrier. `votes` is for the caller,
  /// if it arrived last. The span is valid until the next wait.
  std::span<const Waiter> open(std::uint32_t barrier, Votes& votes);
  void pass(std::uint32_t barrier) { barriers_[barrier].point.acquire(); }
  /// A thread has exited: barriers for all threads
  /// expect one less. Returns one that is now full.
  std::optional<std::uint32_t> exit();
  std::uint32_t live() const { return live_; }

 private:
  static constexpr Votes kNoVotes{true, false, 0};

  struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t threads = 0;  ///< as the first arrival declared
    Votes votes = kNoVotes;
    std::vector<Waiter> waiters;
    std::vector<Waiter> woken;
    SyncPoint point;
  };

  std::uint32_t threads_ = 0;
  std::uint32_t live_ = 0;
  std::uint32_t arrivals_ = 0;  ///< at barriers that are still closed
  std::array<Barrier, kCount> barriers_;
};

}  // namespace assay::cuda::on_cpu
