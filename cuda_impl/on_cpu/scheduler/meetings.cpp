// Implements the exchange of values between the lanes of a warp.
#include "cuda_impl/on_cpu/scheduler/meetings.hpp"

#include <algorithm>

namespace assay::cuda::on_cpu {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kAllLanes = 0xffffffff;

std::uint32_t bit_of(std::uint32_t thread) { return 1u << (thread % kLanes); }

}  // namespace

void Meetings::begin(std::uint32_t threads) {
  const std::uint32_t last_warp = threads % kLanes;
  warps_.assign((threads + kLanes - 1) / kLanes, {kAllLanes, 0, nullptr});
  if (last_warp != 0) warps_.back().exists = (1u << last_warp) - 1;
  if (meetings_.size() < threads) meetings_.resize(threads);
  used_ = 0;
  free_ = nullptr;
}

const char* Meetings::objection(const LaneCall& call) const {
  const Warp& warp = warps_[call.thread / kLanes];
  const std::uint32_t lane = bit_of(call.thread);
  if ((call.mask & lane) == 0) return "a lane is not in the mask that it names";
  const std::uint32_t mask = call.mask & warp.exists;
  for (const Meeting* open = warp.open; open != nullptr; open = open->next) {
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

Meeting& Meetings::find_or_open(Warp& warp, const LaneCall& call, std::uint32_t mask) {
  for (Meeting* open = warp.open; open != nullptr; open = open->next) {
    if (open->mask == mask) return *open;
  }
  Meeting* fresh = free_ != nullptr ? free_ : &meetings_[used_++];
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

Meeting& Meetings::join(const LaneCall& call) {
  Warp& warp = warps_[call.thread / kLanes];
  Meeting& meeting = find_or_open(warp, call, call.mask & warp.exists);
  if (meeting.orders_memory) {
    meeting.arrived == 0 ? meeting.point.open() : meeting.point.release();
  }
  meeting.arrived |= bit_of(call.thread);
  meeting.deposits[call.thread % kLanes] = call.deposit;
  complete_if_all_came(warp, meeting);
  return meeting;
}

void Meetings::complete_if_all_came(Warp& warp, Meeting& meeting) {
  if (meeting.arrived != (meeting.mask & ~warp.exited)) return;
  meeting.is_complete = true;
  meeting.reading = meeting.arrived;
  Meeting** link = &warp.open;
  while (*link != &meeting) link = &(*link)->next;
  *link = meeting.next;
}

void Meetings::leave(Meeting& meeting, std::uint32_t thread) {
  if (meeting.orders_memory) meeting.point.acquire();
  meeting.reading &= ~bit_of(thread);
  if (meeting.reading != 0) return;
  meeting.next = free_;
  free_ = &meeting;
}

std::uint32_t Meetings::exit(std::uint32_t thread) {
  Warp& warp = warps_[thread / kLanes];
  warp.exited |= bit_of(thread);
  std::uint32_t woken = 0;
  for (Meeting* open = warp.open; open != nullptr;) {
    Meeting* const next = open->next;
    complete_if_all_came(warp, *open);
    if (open->is_complete) woken |= open->arrived;
    open = next;
  }
  return woken;
}

}  // namespace assay::cuda::on_cpu
