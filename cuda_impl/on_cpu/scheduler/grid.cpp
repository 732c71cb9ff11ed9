// Faults of kernels.
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "cuda_impl/on_cpu/scheduler/block.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/hidden_lock.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/order.hpp"
#include "cuda_impl/on_cpu/scheduler/workers.hpp"

namespace assay::cuda::on_cpu {
namespace {

std::string shown(const Dim3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

}  // namespace

KernelFault::KernelFault(std::string reason, const Dim3& block_index)
    : std::runtime_error(reason + " (block " + shown(block_index) + ")"),
      reason_(std::move(reason)),
      block_index_(block_index) {}

KernelFault::KernelFault(std::string reason, const Dim3& block_index, const Dim3& thread_index)
    : std::runtime_error(reason + " (block " + shown(block_index) + ", thread " +
                         shown(thread_index) + ")"),
      reason_(std::move(reason)),
      block_index_(block_index) {}

namespace {

void check_dimensions(const char* what, const Dim3& is, const Dim3& most) {
  if (is.count() != 0 && is.x <= most.x && is.y <= most.y && is.z <= most.z) return;
  const auto shown = [](const Dim3& at) {
    return std::to_string(at.x) + " x " + std::to_string(at.y) + " x " + std::to_string(at.z);
  };
  throw std::invalid_argument(std::string("a ") + what + " has from 1 to " + shown(most) +
                              ", got " + shown(is));
}

void check(const GridRun& run) {
  constexpr std::uint64_t kMostThreads = 1024;
  if (Block::running() != nullptr) throw std::logic_error("a CUDA thread cannot run a grid");
  check_dimensions("grid", run.grid, {0x7fffffff, 0xffff, 0xffff});
  check_dimensions("block", run.block, {1024, 1024, 64});
  if (run.block.count() > kMostThreads) {
    throw std::invalid_argument("a block has at most 1024 threads, got " +
                                std::to_string(run.block.count()));
  }
}

class GridWork : public SharedWork {
 public:
  explicit GridWork(GridJob& job) : job_(job), order_(job.run.grid, job.options) {}
  virtual ~GridWork() = default;

  std::uint64_t blocks() const { return order_.count(); }

  void take_part() override {
    for (;;) {
      const std::uint64_t position = next_++;
      if (position >= order_.count() || position > failed_at_) break;
      run_block(position);
    }
    job_.finish.release();
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run_block(std::uint64_t position) try {
    Block::of_this_thread().run(job_, order_.at(position));
  } catch (...) {
    const std::lock_guard lock(lock_);
    if (position >= failed_at_) return;
    failed_at_ = position;
    failure_ = std::current_exception();
  }

  GridJob& job_;
  BlockOrder order_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> failed_at_ = std::numeric_limits<std::uint64_t>::max();
  HiddenLock lock_;
  std::exception_ptr failure_;
};

/// Two even on one CPU, so that blocks of a grid run at the same time everywhere. Initialized
/// before main, because an initialization during a fork could deadlock in the child.
const std::uint32_t cores = std::max(2u, std::thread::hardware_concurrency());

std::uint32_t workers_for(const GridWork& work, const Options& options) {
  const std::uint64_t wanted = options.workers == 0 ? cores : options.workers;
  return static_cast<std::uint32_t>(std::min(wanted, work.blocks()));
}

}  // namespace

void run_grid(const GridRun& run, ThreadBody body) {
  const Quiet quiet;
  check(run);
  GridJob job{run, body, options(), {}, {}, {}};
  if (has_thread_sanitizer()) job.watched = &WatchedFibers::of_caller();
  GridWork work(job);
  job.launch.open();
  job.finish.open();
  job.fences.open();
  work_together(work, workers_for(work, job.options) - 1);
  job.finish.acquire();
  if (job.watched != nullptr) job.watched->grid_is_over();
  work.rethrow_failure();
}

}  // namespace assay::cuda::on_cpu
