// Implements the barrier of a block.
#include "cuda_impl/on_cpu/scheduler/barrier.hpp"

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

}  // namespace assay::cuda::on_cpu
