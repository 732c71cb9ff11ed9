// Runs the threads of one block, one after the other, each as far as it can go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/barriers.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/watched_fibers.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/meetings.hpp"
#include "cuda_impl/on_cpu/scheduler/ready_queue.hpp"
#include "cuda_impl/on_cpu/scheduler/shared_memory.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

/// What the blocks of a grid have in common.
struct GridJob {
  const GridRun& run;
  ThreadBody body;
  Options options;
  SyncPoint launch;                  ///< the launch is seen by all threads
  SyncPoint finish;                  ///< and all threads by whoever waits for the grid
  SyncPoint fences;                  ///< what stands before one is seen behind the next
  WatchedFibers* watched = nullptr;  ///< under the thread sanitizer
};

/// Threads that never wait use one stack, one after the other; those that wait keep theirs. Under
/// the thread sanitizer each has its own from the start, because a stack is what it knows a thread
/// by. Kept from block to block, one for each thread of the host.
class Block {
 public:
  /// The one that runs on this thread of the host; null where none does.
  static Block* running();
  /// The one that this thread of the host keeps.
  static Block& of_this_thread();

  /// Throws the KernelFault of the first thread that had one.
  void run(GridJob& job, const Dim3& block_index);

  // What its threads ask for: threads.hpp says what each does.
  const ThreadPlace& place();
  Votes barrier(const BarrierCall& call);
  void arrive(const BarrierCall& call);
  Exchange exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory);
  void yield();
  void fence();
  const SharedMemory& shared() const { return shared_; }
  [[noreturn]] void give_up(const std::string& reason);

 private:
  enum class State : std::uint8_t { able, at_barrier, at_warp, finished };
  /// Thrown through the frames of threads that wait in a block that has failed.
  struct Abandoned {};
  using Next = ReadyQueue::Next;

  void begin(GridJob& job, const Dim3& block_index);
  void end();

  static void fiber_main();
  [[noreturn]] void run_threads();
  void run_one_thread();
  void note(const KernelFault& failure);
  void finish_thread();
  std::optional<Next> next_thread();
  std::optional<Next> next_to_abandon();
  bool goes_on_here(const std::optional<Next>& next);
  Context& leave_for(const std::optional<Next>& next);
  Fiber& fiber_for(std::uint32_t thread);
  Fiber& spare_fiber();

  void give_way(State state);
  void count_in(const BarrierCall& call);
  void open_barrier(std::uint32_t barrier, Votes& votes);
  void wake_lanes(std::uint32_t warp, std::uint32_t lanes);
  void wake(std::uint32_t thread);
  void check_not_abandoned() const;
  std::string deadlock() const;

  GridJob* job_ = nullptr;
  std::uint32_t current_ = 0;
  ThreadPlace place_{};  ///< of the thread place_.linear, which may not be the current one
  ReadyQueue queue_;
  Barriers barriers_;
  Meetings meetings_;
  SharedMemory shared_;
  std::vector<State> states_;
  std::vector<Fiber*> fiber_of_;  ///< by thread; null where it has not begun
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> spare_;
  Context host_;
  Context* left_ = nullptr;  ///< who switched to a fresh stack
  std::optional<KernelFault> fault_;
  std::uint32_t abandon_from_ = 0;
};

}  // namespace assay::cuda::on_cpu
