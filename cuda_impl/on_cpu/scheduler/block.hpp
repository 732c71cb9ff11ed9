// Runs the threads of a block in turn, each until it has to wait.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/watched_fibers.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/order.hpp"
#include "cuda_impl/on_cpu/scheduler/rendezvous.hpp"
#include "cuda_impl/on_cpu/scheduler/shared_memory.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

/// The common data of a grid's blocks.
struct GridJob {
  const GridRun& run;
  ThreadBody body;
  Options options;
  SyncPoint launch;                  ///< orders the launch before all threads
  SyncPoint finish;                  ///< orders all threads before the end of the grid
  SyncPoint fences;                  ///< orders fences
  WatchedFibers* watched = nullptr;  ///< thread sanitizer only
};

/// Threads that never wait share one stack; each waiting thread keeps its own. With the thread
/// sanitizer every thread has its own stack, because the sanitizer identifies threads by it. One
/// instance is kept for each host thread.
class Block {
 public:
  /// The block that is running on this host thread; null if there is none.
  static Block* running();
  /// The instance of this host thread.
  static Block& of_this_thread();

  /// Throws the KernelFault of the first thread that failed.
  void run(GridJob& job, const Dim3& block_index);

  // Requests of the threads; see threads.hpp.
  const ThreadPlace& place();
  Votes barrier(bool vote);
  Exchange exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory);
  void fence();
  const SharedMemory& shared() const { return shared_; }
  std::byte* shared_variable(const void* name, std::size_t bytes);
  [[noreturn]] void give_up(const std::string& reason);
  [[noreturn]] void end_thread(std::string&& reason);

 private:
  enum class State : std::uint8_t { able, at_barrier, at_warp, finished };
  /// Thrown to unwind the waiting threads of a failed block.
  struct Abandoned {};
  using Next = ReadyQueue::Next;

  void begin(GridJob& job, const Dim3& block_index);
  void end();

  static void fiber_main();
  [[noreturn]] void run_threads();
  void run_one_thread();
  void hand_over();
  void note(const KernelFault& failure);
  void finish_thread();
  std::optional<Next> next_thread();
  std::optional<Next> next_to_abandon();
  bool goes_on_here(const std::optional<Next>& next);
  Context& leave_for(const std::optional<Next>& next);
  Fiber& fiber_for(std::uint32_t thread);
  Fiber& spare_fiber();

  void give_way(State state);
  void open_barrier(Votes& votes);
  void wake_lanes(std::uint32_t warp, std::uint32_t lanes);
  void wake(std::uint32_t thread);
  void check_not_abandoned() const;
  std::string deadlock() const;

  GridJob* job_ = nullptr;
  std::uint32_t current_ = 0;
  ThreadPlace place_{};  ///< of thread place_.linear, not necessarily the current one
  ReadyQueue queue_;
  Barrier barrier_;
  WarpOperations operations_;
  SharedMemory shared_;
  std::vector<State> states_;
  std::vector<Fiber*> fiber_of_;  ///< by thread; null before its start
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> spare_;
  Context host_;
  Context* left_ = nullptr;  ///< the context that switched to a new stack
  std::optional<KernelFault> fault_;
  std::uint32_t abandon_from_ = 0;
};

}  // namespace assay::cuda::on_cpu
