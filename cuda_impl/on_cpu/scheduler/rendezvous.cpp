// The barrier, and the exchange of values between the lanes of a warp.
#include "cuda_impl/on_cpu/scheduler/rendezvous.hpp"

#include <algorithm>
#include <utility>

namespace assay::cuda::on_cpu {

void Barrier::begin(std::uint32_t threads) {
  live_ = threads;
  arrived_ = 0;
  votes_ = kNoVotes;
  waiters_.clear();
  point_.open();
}

void Barrier::arrive(bool vote) {
  votes_.all &= vote;
  votes_.any |= vote;
  votes_.count += vote ? 1 : 0;
  ++arrived_;
  point_.release();
}

std::span<const Barrier::Waiter> Barrier::open(Votes& votes) {
  arrived_ = 0;
  votes = std::exchange(votes_, kNoVotes);
  for (const Waiter& waiter : waiters_) *waiter.result = votes;
  woken_.clear();
  std::swap(waiters_, woken_);
  return woken_;
}

namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kAllLanes = 0xffffffff;

std::uint32_t bit_of(std::uint32_t thread) { return 1u << (thread % kLanes); }

}  // namespace

void WarpOperations::begin(std::uint32_t threads) {
  const std::uint32_t last_warp = threads % kLanes;
  warps_.assign((threads + kLanes - 1) / kLanes, {kAllLanes, 0, nullptr});
  if (last_warp != 0) warps_.back().exists = (1u << last_warp) - 1;
  if (operations_.size() < threads) operations_.resize(threads);
  used_ = 0;
  free_ = nullptr;
}

const char* WarpOperations::objection(const LaneCall& call) const {
  const Warp& warp = warps_[call.thread / kLanes];
  const std::uint32_t lane = bit_of(call.thread);
  if ((call.mask & lane) == 0) return "a lane is not in the mask that it names";
  const std::uint32_t mask = call.mask & warp.exists;
  for (const WarpOperation* open = warp.open; open != nullptr; open = open->next) {
    const bool is_awaited = (open->mask & lane) != 0;
    const bool awaits = (open->arrived & mask) != 0;
    if (open->mask != mask && is_awaited && awaits) {
      return "lanes of one warp wait for each other with different masks";
    }
    if (open->mask == mask && open->orders_memory != call.orders_memory) {
      return "lanes of one warp meet in different operations";
    }
  }
  return nullptr;
}

WarpOperation& WarpOperations::find_or_open(Warp& warp, const LaneCall& call, std::uint32_t mask) {
  for (WarpOperation* open = warp.open; open != nullptr; open = open->next) {
    if (open->mask == mask) return *open;
  }
  WarpOperation* fresh = free_ != nullptr ? free_ : &operations_[used_++];
  if (fresh == free_) free_ = fresh->next;
  fresh->mask = mask;
  fresh->arrived = fresh->reading = 0;
  fresh->orders_memory = call.orders_memory;
  fresh->is_complete = false;
  fresh->deposits.fill(~std::uint64_t{0});
  fresh->next = warp.open;
  warp.open = fresh;
  return *fresh;
}

WarpOperation& WarpOperations::join(const LaneCall& call) {
  Warp& warp = warps_[call.thread / kLanes];
  WarpOperation& operation = find_or_open(warp, call, call.mask & warp.exists);
  if (operation.orders_memory) {
    operation.arrived == 0 ? operation.point.open() : operation.point.release();
  }
  operation.arrived |= bit_of(call.thread);
  operation.deposits[call.thread % kLanes] = call.deposit;
  complete_if_all_arrived(warp, operation);
  return operation;
}

void WarpOperations::complete_if_all_arrived(Warp& warp, WarpOperation& operation) {
  if (operation.arrived != (operation.mask & ~warp.exited)) return;
  operation.is_complete = true;
  operation.reading = operation.arrived;
  WarpOperation** link = &warp.open;
  while (*link != &operation) link = &(*link)->next;
  *link = operation.next;
}

void WarpOperations::leave(WarpOperation& operation, std::uint32_t thread) {
  if (operation.orders_memory) operation.point.acquire();
  operation.reading &= ~bit_of(thread);
  if (operation.reading != 0) return;
  operation.next = free_;
  free_ = &operation;
}

std::uint32_t WarpOperations::exit(std::uint32_t thread) {
  Warp& warp = warps_[thread / kLanes];
  warp.exited |= bit_of(thread);
  std::uint32_t woken = 0;
  for (WarpOperation* open = warp.open; open != nullptr;) {
    WarpOperation* const next = open->next;
    complete_if_all_arrived(warp, *open);
    if (open->is_complete) woken |= open->arrived;
    open = next;
  }
  return woken;
}

}  // namespace assay::cuda::on_cpu
