// Implements the barriers of a block.
#include "cuda_impl/on_cpu/scheduler/barriers.hpp"

#include <utility>

namespace assay::cuda::on_cpu {
namespace {

std::string shown(std::uint32_t threads) {
  return threads == 0 ? "all threads" : std::to_string(threads) + " threads";
}

}  // namespace

void Barriers::begin(std::uint32_t threads) {
  threads_ = live_ = threads;
  arrivals_ = 0;
  for (Barrier& barrier : barriers_) {
    barrier.arrived = 0;
    barrier.votes = kNoVotes;
    barrier.waiters.clear();
    barrier.point.open();
  }
}

std::string Barriers::objection(const BarrierCall& call) const {
  constexpr std::uint32_t kWarp = 32;
  if (call.barrier >= kCount) {
    return "barriers are 0 to 15, got " + std::to_string(call.barrier);
  }
  if (call.threads % kWarp != 0 || call.threads > threads_) {
    return "a barrier's thread count must be a multiple of 32 and at most the block's " +
           std::to_string(threads_) + ", got " + std::to_string(call.threads);
  }
  const Barrier& barrier = barriers_[call.barrier];
  if (barrier.arrived != 0 && barrier.threads != call.threads) {
    return "barrier " + std::to_string(call.barrier) + " was to wait for " +
           shown(barrier.threads) + ", now for " + shown(call.threads);
  }
  return {};
}

void Barriers::arrive(const BarrierCall& call) {
  Barrier& barrier = barriers_[call.barrier];
  barrier.threads = call.threads;
  barrier.votes.all &= call.vote;
  barrier.votes.any |= call.vote;
  barrier.votes.count += call.vote ? 1 : 0;
  ++barrier.arrived;
  ++arrivals_;
  barrier.point.release();
}

void Barriers::wait(std::uint32_t barrier, const Waiter& waiter) {
  barriers_[barrier].waiters.push_back(waiter);
}

bool Barriers::is_full(std::uint32_t barrier) const {
  const Barrier& at = barriers_[barrier];
  return at.arrived != 0 && at.arrived >= (at.threads == 0 ? live_ : at.threads);
}

std::optional<std::uint32_t> Barriers::exit() {
  --live_;
  if (arrivals_ == 0) return std::nullopt;
  for (std::uint32_t barrier = 0; barrier < kCount; ++barrier) {
    if (is_full(barrier)) return barrier;  // at most one barrier can wait for all threads
  }
  return std::nullopt;
}

std::span<const Barriers::Waiter> Barriers::open(std::uint32_t barrier, Votes& votes) {
  Barrier& at = barriers_[barrier];
  arrivals_ -= std::exchange(at.arrived, 0);
  votes = std::exchange(at.votes, kNoVotes);
  for (const Waiter& waiter : at.waiters) *waiter.result = votes;
  at.woken.clear();
  std::swap(at.waiters, at.woken);
  return at.woken;
}

}  // namespace assay::cuda::on_cpu
