// Orders of blocks and threads.
#include "cuda_impl/on_cpu/scheduler/order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace assay::cuda::on_cpu {

BlockOrder::BlockOrder(const Dim3& grid, const Options& options)
    : grid_(grid), count_(grid.count()), order_(options.order) {
  if (order_ != Order::shuffled || count_ < 2) return;
  Draw draw(options.seed);
  const auto below = static_cast<std::uint32_t>(std::min<std::uint64_t>(count_, 0xffffffff));
  first_ = draw(below);
  do {
    step_ = 1 + draw(below);
  } while (std::gcd(step_, count_) != 1);
}

Dim3 BlockOrder::at(std::uint64_t position) const {
  std::uint64_t index = position;
  if (order_ == Order::reverse) index = count_ - 1 - position;
  if (order_ == Order::shuffled) {
    __extension__ using Wide = unsigned __int128;
    index = static_cast<std::uint64_t>((first_ + Wide{position} * step_) % count_);
  }
  return {static_cast<std::uint32_t>(index % grid_.x),
          static_cast<std::uint32_t>(index / grid_.x % grid_.y),
          static_cast<std::uint32_t>(index / grid_.x / grid_.y)};
}

std::uint32_t Draw::operator()(std::uint32_t below) {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  mixed ^= mixed >> 31;
  return static_cast<std::uint32_t>(((mixed >> 32) * below) >> 32);
}

void ReadyQueue::begin(std::uint32_t threads, Order order, std::uint64_t seed) {
  order_ = order;
  draw_ = Draw(seed);
  threads_ = threads;
  fresh_begin_ = woken_begin_ = woken_end_ = 0;
  if (woken_.size() < threads) woken_.resize(std::bit_ceil(threads));
  mask_ = static_cast<std::uint32_t>(woken_.size()) - 1;
  if (order != Order::shuffled) return;
  permutation_.resize(threads);
  std::iota(permutation_.begin(), permutation_.end(), 0u);
  for (std::uint32_t left = threads; left > 1; --left) {
    std::swap(permutation_[left - 1], permutation_[draw_(left)]);
  }
}

void ReadyQueue::wake(std::uint32_t thread) { woken_[woken_end_++ & mask_] = thread; }

ReadyQueue::Next ReadyQueue::take_woken() {
  std::uint32_t& first = woken_[woken_begin_ & mask_];
  if (order_ == Order::shuffled) {
    std::swap(first, woken_[(woken_begin_ + draw_(woken_end_ - woken_begin_)) & mask_]);
  }
  ++woken_begin_;
  return {.thread = first, .is_fresh = false};
}

ReadyQueue::Next ReadyQueue::take_fresh() {
  const std::uint32_t position = fresh_begin_++;
  switch (order_) {
    case Order::reverse:
      return {.thread = threads_ - 1 - position, .is_fresh = true};
    case Order::shuffled:
      return {.thread = permutation_[position], .is_fresh = true};
    case Order::forward:
      break;
  }
  return {.thread = position, .is_fresh = true};
}

std::optional<ReadyQueue::Next> ReadyQueue::next() {
  const bool either = has_woken() && has_fresh();
  if (either && order_ == Order::shuffled && draw_(2) == 0) return take_fresh();
  if (has_woken()) return take_woken();
  if (has_fresh()) return take_fresh();
  return std::nullopt;
}

}  // namespace assay::cuda::on_cpu
