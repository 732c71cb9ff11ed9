// Reductions, running totals, and sums of segments.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"

namespace assay::cuda {

/// The function that is applied to each element before the reduction.
enum class ElementFunction : std::uint8_t { kIdentity, kAbs, kSquare, kIsNotZero };
enum class Combination : std::uint8_t { kSum, kProduct, kMax, kMin };

/// Reduces contiguous rows. Results have the wide type: float32 for half types and float32, float64
/// for float64, int64 for int64. No other types are supported.
struct ReductionTask {
  Dtype dtype = Dtype::kFloat32;
  const void* elements = nullptr;
  std::int64_t count = 0;  ///< elements in a row
  std::int64_t rows = 1;
  ElementFunction each = ElementFunction::kIdentity;
  Combination combination = Combination::kSum;
  void* results = nullptr;  ///< one for each row
};

/// The order of additions depends only on the lengths, so every device gives the same bits.
void launch_reduction(const ReductionTask& task);

/// Splits `count` contiguous elements into rows; the last row may be shorter. One block reduces
/// each row.
struct RowsOfElements {
  std::int64_t count = 0;
  std::int64_t length = 1;  ///< elements in a row

  __host__ __device__ std::int64_t rows() const { return (count + length - 1) / length; }
};
void launch_row_reduction(const ReductionTask& task, const RowsOfElements& rows);

template <typename T>
struct EachElement {
  ElementFunction each;

  __host__ __device__ WideOf<T> operator()(T element) const {
    using Wide = WideOf<T>;
    const auto value = convert<Wide>(element);
    switch (each) {
      case ElementFunction::kIdentity:
        break;
      case ElementFunction::kAbs:
        return value <= 0 ? Wide{0} - value : value;  // also turns -0 into 0
      case ElementFunction::kSquare:
        return value * value;
      case ElementFunction::kIsNotZero:
        return value != 0 ? Wide{1} : Wide{0};
    }
    return value;
  }
};

/// Propagates NaN.
template <typename Wide>
struct Combine {
  Combination combination;

  __host__ __device__ Wide operator()(Wide a, Wide b) const {
    if (combination == Combination::kSum) return a + b;
    if (combination == Combination::kProduct) return product(a, b);
    const bool takes_a = combination == Combination::kMax ? a > b : a < b;
    return takes_a || a != a ? a : b;
  }
  /// The neutral element of the reduction.
  __host__ __device__ Wide neutral() const {
    using Limits = std::numeric_limits<Wide>;
    if (combination == Combination::kSum) return 0;
    if (combination == Combination::kProduct) return 1;
    if (combination == Combination::kMin)
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }

 private:
  /// Integers wrap around.
  static __host__ __device__ Wide product(Wide a, Wide b) {
    using Wrapping = std::conditional_t<std::is_integral_v<Wide>, std::uint64_t, Wide>;
    return static_cast<Wide>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b));
  }
};

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

/// All pointers are on the current device. Segment `s` consists of the rows `order[begin[s]]` to
/// `order[begin[s + 1] - 1]`; their sum is row `s` of the result.
struct SegmentSum {
  const void* rows = nullptr;
  void* sums = nullptr;
  const std::int64_t* order = nullptr;
  const std::int64_t* begin = nullptr;
  std::int64_t segments = 0;
  std::int64_t row_elements = 0;
};
/// Supports float32, float64 and the half types, which are summed in float32 and rounded once.
/// Raises `not_implemented` for other types.
void launch_segment_sum(Dtype dtype, const SegmentSum& work);

}  // namespace assay::cuda
