// Implements the requests of a block's threads.
#include <bit>

#include "cuda_impl/on_cpu/scheduler/block.hpp"

namespace assay::cuda::on_cpu {

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

Votes Block::barrier(const BarrierCall& call) {
  const Quiet quiet;
  count_in(call);
  Votes votes{};
  if (!barriers_.is_full(call.barrier)) {
    barriers_.wait(call.barrier, {current_, &votes});
    give_way(State::at_barrier);
  } else {
    open_barrier(call.barrier, votes);
  }
  barriers_.pass(call.barrier);
  return votes;
}

void Block::arrive(const BarrierCall& call) {
  const Quiet quiet;
  if (call.threads == 0) give_up("arriving without waiting needs a thread count");
  count_in(call);
  Votes votes{};
  if (barriers_.is_full(call.barrier)) open_barrier(call.barrier, votes);
}

void Block::count_in(const BarrierCall& call) {
  check_not_abandoned();
  const std::string objection = barriers_.objection(call);
  if (!objection.empty()) give_up(objection);
  barriers_.arrive(call);
}

void Block::open_barrier(std::uint32_t barrier, Votes& votes) {
  for (const Barriers::Waiter& waiter : barriers_.open(barrier, votes)) wake(waiter.thread);
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

void Block::yield() {
  const Quiet quiet;
  check_not_abandoned();
  queue_.wake(current_);
  give_way(State::able);
}

}  // namespace assay::cuda::on_cpu
