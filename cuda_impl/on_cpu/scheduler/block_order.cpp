// The order in which the blocks of a grid start.
#include "cuda_impl/on_cpu/scheduler/block_order.hpp"

#include <algorithm>
#include <numeric>

#include "cuda_impl/on_cpu/scheduler/ready_queue.hpp"

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

}  // namespace assay::cuda::on_cpu
