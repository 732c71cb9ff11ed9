// Running sums and products.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"

namespace assay::cuda {

/// `outer` x `length` x `inner` contiguous elements of float32, float64 or int64, which are summed
/// or multiplied along the middle one.
struct ScanTask {
  Dtype dtype = Dtype::kFloat32;
  Dtype rounds_to = Dtype::kFloat32;  ///< each total, if that is a half type
  bool multiplies = false;
  std::int64_t outer = 1;
  std::int64_t length = 1;
  std::int64_t inner = 1;
  const void* in = nullptr;
  void* out = nullptr;
};

void launch_scan(const ScanTask& task);

template <typename Number>
__host__ __device__ Number rounded_total(Dtype to, Number total) {
  if constexpr (std::is_same_v<Number, float>) {
    if (to == Dtype::kFloat16) return to_float(from_float<Half>(total));
    if (to == Dtype::kBFloat16) return to_float(from_float<BFloat16>(total));
  }
  return total;
}

/// Integers are unsigned here, so that overflow wraps around.
template <typename Number>
__host__ __device__ void scan_line(const ScanTask& task, std::int64_t line) {
  const std::int64_t first = line / task.inner * task.length * task.inner + line % task.inner;
  Number total = task.multiplies ? 1 : 0;
  for (std::int64_t i = 0; i < task.length; ++i) {
    const std::int64_t at = first + i * task.inner;
    const Number element = static_cast<const Number*>(task.in)[at];
    total = rounded_total(task.rounds_to, task.multiplies ? total * element : total + element);
    static_cast<Number*>(task.out)[at] = total;
  }
}

template <typename Visit>
void visit_scanned(Dtype dtype, const Visit& visit) {
  if (dtype == Dtype::kFloat64) return visit(double{});
  if (dtype == Dtype::kInt64) return visit(std::uint64_t{});
  visit(float{});
}

}  // namespace assay::cuda
