// The order in which the blocks of a grid start.
#pragma once

#include <cstdint>

#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

class BlockOrder {
 public:
  BlockOrder(const Dim3& grid, const Options& options);

  std::uint64_t count() const { return count_; }
  /// Returns the block at this position in the order.
  Dim3 at(std::uint64_t position) const;

 private:
  Dim3 grid_;
  std::uint64_t count_;
  Order order_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;  ///< coprime to the count, so that every block occurs once
};

}  // namespace assay::cuda::on_cpu
