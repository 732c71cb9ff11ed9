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
