// The scalars that loops of the scale's update work on.
#pragma once

#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/subject/bench/work.hpp"

namespace assay::cuda {

inline Tensor bench_scalar(double value, Dtype dtype = Dtype::kFloat32) {
  return full({}, value, dtype, home());
}

inline void set_to_zero(const Tensor& tensor) {
  cuda_check(cudaMemsetAsync(tensor.data(), 0, tensor.size_bytes(), current_stream()));
}

/// The scale stays 1 and the tracker counts.
class ScaleWork : public BenchWork {
 public:
  void restore() override { set_to_zero(tracker_); }
  std::vector<Tensor> results() const override { return {scale_, tracker_}; }

 protected:
  static constexpr double kGrowth = 2;
  static constexpr double kBackoff = 0.5;
  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

  Tensor scale_ = bench_scalar(1);
  Tensor tracker_ = bench_scalar(0, Dtype::kInt32);
  const Tensor found_inf_ = bench_scalar(0);
};

}  // namespace assay::cuda
