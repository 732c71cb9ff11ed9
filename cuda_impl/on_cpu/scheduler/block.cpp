// Runs the threads of a block in turn, each until it has to wait.
#include "cuda_impl/on_cpu/scheduler/block.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::cuda::on_cpu {
namespace {

thread_local Block* running_block = nullptr;

std::uint64_t seed_of(const Options& options, const Dim3& at, const Dim3& grid) {
  const std::uint64_t block = (std::uint64_t{at.z} * grid.y + at.y) * grid.x + at.x;
  return options.seed * 0x9e3779b97f4a7c15u + block;
}

}  // namespace

Block* Block::running() { return running_block; }

Block& Block::of_this_thread() {
  thread_local Block block;
  return block;
}

void Block::begin(GridJob& job, const Dim3& block_index) {
  const GridRun& run = job.run;
  const auto threads = static_cast<std::uint32_t>(run.block.count());
  job_ = &job;
  place_ = {run.grid, run.block, block_index, {0, 0, 0}, 0};
  queue_.begin(threads, job.options.order, seed_of(job.options, block_index, run.grid));
  barrier_.begin(threads);
  operations_.begin(threads);
  shared_.begin(run.dynamic_shared_bytes, job.options.poison);
  states_.assign(threads, State::able);
  fiber_of_.assign(threads, nullptr);
  fault_.reset();
  abandon_from_ = 0;
  if (!has_thread_sanitizer()) return;
  host_.tsan_fiber = __tsan_get_current_fiber();
  fibers_ = job.watched->take(threads);
  for (const auto& fiber : fibers_) spare_.push_back(fiber.get());
}

void Block::end() {
  shared_.end();
  if (!has_thread_sanitizer()) return;
  spare_.clear();
  job_->watched->give_back(std::exchange(fibers_, {}));
}

void Block::run(GridJob& job, const Dim3& block_index) {
  const Quiet quiet;
  begin(job, block_index);
  running_block = this;
  left_ = &host_;
  current_ = queue_.next()->thread;
  switch_context(host_, fiber_for(current_));
  running_block = nullptr;
  end();
  if (fault_) throw KernelFault(*fault_);
}

/// The loop of a fiber: runs new threads until it must make room for one that has waited.
void Block::fiber_main() {
  Block& block = *running_block;
  arrive_on_stack(*block.left_);
  block.run_threads();
}

void Block::run_threads() {
  for (;;) {
    run_one_thread();
    hand_over();
  }
}

/// Returns where another thread may start on the stack of the one that is over.
void Block::hand_over() {
  Context& mine = *fiber_of_[current_];
  finish_thread();
  const std::optional<Next> next = next_thread();
  if (!goes_on_here(next)) leave_context(mine, leave_for(next));
}

bool Block::goes_on_here(const std::optional<Next>& next) {
  if (!next || !next->is_fresh || has_thread_sanitizer()) return false;
  fiber_of_[next->thread] = fiber_of_[current_];
  current_ = next->thread;
  return true;
}

Context& Block::leave_for(const std::optional<Next>& next) {
  const Quiet quiet;
  left_ = fiber_of_[current_];
  if (!has_thread_sanitizer()) spare_.push_back(fiber_of_[current_]);
  if (!next) return host_;
  current_ = next->thread;
  return fiber_for(current_);
}

void Block::run_one_thread() {
  try {
    job_->launch.acquire();
    job_->body.call(job_->body.self);
  } catch (const Abandoned&) {
  } catch (const KernelFault& failure) {
    note(failure);
  } catch (const std::exception& error) {
    note(KernelFault(error.what(), place().block_index, place().thread_index));
  } catch (...) {
    const char* const what = "an exception of an unknown type";
    note(KernelFault(what, place().block_index, place().thread_index));
  }
}

void Block::end_thread(std::string&& reason) {
  note(KernelFault(std::exchange(reason, {}), place().block_index, place().thread_index));
  hand_over();
  __builtin_unreachable();  // no thread starts after a fault
}

/// Only the first fault is kept.
void Block::note(const KernelFault& failure) {
  const Quiet quiet;
  if (!fault_) fault_ = failure;
}

void Block::finish_thread() {
  const Quiet quiet;
  states_[current_] = State::finished;
  job_->finish.release();
  if (fault_) return;
  wake_lanes(current_ / 32, operations_.exit(current_));
  barrier_.exit();
  Votes votes{};
  if (barrier_.is_full()) open_barrier(votes);
}

std::optional<Block::Next> Block::next_thread() {
  const Quiet quiet;
  if (fault_) return next_to_abandon();
  const std::optional<Next> next = queue_.next();
  if (next || barrier_.live() == 0) return next;
  fault_.emplace(deadlock(), place_.block_index);
  return next_to_abandon();
}

/// Resumes unfinished threads, so that their stack frames are unwound.
std::optional<Block::Next> Block::next_to_abandon() {
  for (; abandon_from_ < states_.size(); ++abandon_from_) {
    if (states_[abandon_from_] == State::finished || fiber_of_[abandon_from_] == nullptr) continue;
    return Next{.thread = abandon_from_, .is_fresh = false};
  }
  return std::nullopt;
}

Fiber& Block::spare_fiber() {
  if (spare_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(fibers_.size()));
    return *fibers_.back();
  }
  Fiber& spare = *spare_.back();
  spare_.pop_back();
  return spare;
}

Fiber& Block::fiber_for(std::uint32_t thread) {
  Fiber*& fiber = fiber_of_[thread];
  if (fiber != nullptr) return *fiber;
  fiber = &spare_fiber();
  fiber->prepare(&Block::fiber_main);
  if (has_thread_sanitizer()) fiber->name(place().block_index, place().thread_index);
  return *fiber;
}

/// Returns when the current thread is resumed.
void Block::give_way(State state) {
  const std::uint32_t me = current_;
  states_[me] = state;
  const std::optional<Next> next = queue_.next();
  if (!next) {
    fault_.emplace(deadlock(), place_.block_index);
    throw Abandoned{};
  }
  left_ = fiber_of_[me];
  current_ = next->thread;
  switch_context(*left_, fiber_for(current_));
  current_ = me;
  check_not_abandoned();
}

void Block::check_not_abandoned() const {
  if (fault_) throw Abandoned{};
}

void Block::wake(std::uint32_t thread) {
  states_[thread] = State::able;
  queue_.wake(thread);
}

std::string Block::deadlock() const {
  const auto count = [this](State state) {
    return std::to_string(std::count(states_.begin(), states_.end(), state));
  };
  return "deadlock: " + count(State::at_barrier) + " threads at a block barrier, " +
         count(State::at_warp) + " at a warp operation, " + count(State::finished) + " finished";
}

// Implements the requests of a block's threads.

const ThreadPlace& Block::place() {
  const Dim3& block = place_.block;
  if (place_.linear == current_) return place_;
  place_.linear = current_;
  place_.thread_index = {current_ % block.x, current_ / block.x % block.y,
                         current_ / block.x / block.y};
  return place_;
}

void Block::give_up(const std::string& reason) {
  throw KernelFault(reason, place().block_index, place().thread_index);
}

Votes Block::barrier(bool vote) {
  const Quiet quiet;
  check_not_abandoned();
  barrier_.arrive(vote);
  Votes votes{};
  if (!barrier_.is_full()) {
    barrier_.wait({current_, &votes});
    give_way(State::at_barrier);
  } else {
    open_barrier(votes);
  }
  barrier_.pass();
  return votes;
}

void Block::open_barrier(Votes& votes) {
  for (const Barrier::Waiter& waiter : barrier_.open(votes)) wake(waiter.thread);
}

Exchange Block::exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory) {
  const Quiet quiet;
  check_not_abandoned();
  const LaneCall call{current_, mask, deposit, orders_memory};
  if (const char* objection = operations_.objection(call)) give_up(objection);
  WarpOperation& operation = operations_.join(call);
  if (operation.is_complete) {
    wake_lanes(current_ / 32, operation.arrived & ~(1u << (current_ % 32)));
  } else {
    give_way(State::at_warp);
  }
  operations_.leave(operation, current_);
  return {operation.deposits.data(), operation.arrived};
}

void Block::wake_lanes(std::uint32_t warp, std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    wake(warp * 32 + static_cast<std::uint32_t>(std::countr_zero(lanes)));
  }
}

void Block::fence() {
  const Quiet quiet;
  job_->fences.acquire();
  job_->fences.release();
}

std::byte* Block::shared_variable(const void* name, std::size_t bytes) {
  const Quiet quiet;
  std::byte* const variable = shared_.variable(name, bytes);
  if (variable == nullptr) give_up("the block's shared variables need more than 48 KiB");
  return variable;
}

}  // namespace assay::cuda::on_cpu
