// Where the threads of a block wait for each other: its barrier, and the operations of its warps.
#pragma once

#include <array>
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

/// One warp operation, from the first lane's
/// arrival until the last lane has read its result.
struct WarpOperation {
  std::uint32_t mask;     ///< as specified, without lanes that do not exist
  std::uint32_t arrived;  ///< lanes that have deposited
  std::uint32_t reading;  ///< lanes that have not read the result
  bool orders_memory;
  bool is_complete;
  std::array<std::uint64_t, 32> deposits;
  SyncPoint point;
  WarpOperation* next;
};

struct LaneCall {
  std::uint32_t thread;
  std::uint32_t mask;
  std::uint64_t deposit;
  bool orders_memory;
};

/// The open warp operations of a block. Several may be open in one warp if their lanes are
/// disjoint.
class WarpOperations {
 public:
  void begin(std::uint32_t threads);
  /// Describes an error in the call; null if it is valid.
  const char* objection(const LaneCall& call) const;
  /// Deposits the lane's value. The operation is complete if it was the last expected lane.
  WarpOperation& join(const LaneCall& call);
  /// The lane has read its result. The deposits stay valid until the next join.
  void leave(WarpOperation& operation, std::uint32_t thread);
  /// Removes the thread. Returns the lanes that were waiting only for it.
  std::uint32_t exit(std::uint32_t thread);

 private:
  struct Warp {
    std::uint32_t exists;
    std::uint32_t exited;
    WarpOperation* open;
  };

  WarpOperation& find_or_open(Warp& warp, const LaneCall& call, std::uint32_t mask);
  void complete_if_all_arrived(Warp& warp, WarpOperation& operation);

  std::vector<Warp> warps_;
  std::vector<WarpOperation>
      operations_;  ///< one per thread: each open meeting has a lane that is in no other
  std::uint32_t used_ = 0;
  WarpOperation* free_ = nullptr;
};

}  // namespace assay::cuda::on_cpu
