// Where the threads of a block meet.
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
  std::uint32_t threads;  ///< 0: all that have not exited
};

class Barriers {
 public:
  static constexpr std::uint32_t kCount = 16;

  /// A thread that waits, and where it wants its result.
  struct Waiter {
    std::uint32_t thread;
    Votes* result;
  };

  void begin(std::uint32_t threads);
  /// What is wrong with the call; empty if nothing is.
  std::string objection(const BarrierCall& call) const;
  /// Counts the caller in.
  void arrive(const BarrierCall& call);
  /// The caller waits until its barrier has opened. Last thing before it gives way.
  void wait(std::uint32_t barrier, const Waiter& waiter);
  /// Whether all have arrived for whom the barrier waits.
  bool is_full(std::uint32_t barrier) const;
  /// Opens a full barrier: fills in the waiters' results, hands them to be woken, begins anew.
  /// The votes are for the caller, should it be the one who came last. The span lives until the
  /// next wait.
  std::span<const Waiter> open(std::uint32_t barrier, Votes& votes);
  void pass(std::uint32_t barrier) { barriers_[barrier].point.acquire(); }
  /// A thread has ended; those that wait for all wait for one less. The barrier that is full by it.
  std::optional<std::uint32_t> exit();
  std::uint32_t live() const { return live_; }

 private:
  static constexpr Votes kNoVotes{true, false, 0};

  struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t threads = 0;  ///< as the first that arrived has said
    Votes votes = kNoVotes;
    std::vector<Waiter> waiters;
    std::vector<Waiter> woken;
    SyncPoint point;
  };

  std::uint32_t threads_ = 0;
  std::uint32_t live_ = 0;
  std::uint32_t arrivals_ = 0;  ///< at barriers that have not opened
  std::array<Barrier, kCount> barriers_;
};

}  // namespace assay::cuda::on_cpu
