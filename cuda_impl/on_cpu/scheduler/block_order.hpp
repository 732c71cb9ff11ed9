// In which order the blocks of a grid are started.
#pragma once

#include <cstdint>

#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

class BlockOrder {
 public:
  BlockOrder(const Dim3& grid, const Options& options);

  std::uint64_t count() const { return count_; }
  /// Which block is started when `position` others have been.
  Dim3 at(std::uint64_t position) const;

 private:
  Dim3 grid_;
  std::uint64_t count_;
  Order order_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;  ///< has no divisor in common with the count, so that all come once
};

}  // namespace assay::cuda::on_cpu
