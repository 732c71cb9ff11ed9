// Many elements become one.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"

namespace assay::cuda {

/// What each element becomes first.
enum class Each : std::uint8_t { kItself, kMagnitude, kSquare, kIsNotZero };
enum class Joined : std::uint8_t { kSum, kMost, kLeast };

/// Elements lie in memory without gaps; results are wide: float32 of the half types and of
/// float32, float64 of float64, int64 of int64. Other types are not reduced.
struct ReductionTask {
  Dtype dtype = Dtype::kFloat32;
  const void* elements = nullptr;
  std::int64_t count = 0;  ///< of one row
  std::int64_t rows = 1;
  Each each = Each::kItself;
  Joined joined = Joined::kSum;
  void* results = nullptr;  ///< one a row
};

/// In an order that depends on the lengths alone: all devices come to the same bits.
void launch_reduction(const ReductionTask& task);

/// Rows that follow each other up to `count` elements; the last one may be shorter. Each is reduced
/// by one block.
struct RowsOfElements {
  std::int64_t count = 0;
  std::int64_t length = 1;  ///< of one row

  __host__ __device__ std::int64_t rows() const { return (count + length - 1) / length; }
};
void launch_row_reduction(const ReductionTask& task, const RowsOfElements& rows);

template <typename T>
struct EachElement {
  Each each;

  __host__ __device__ WideOf<T> operator()(T element) const {
    using Wide = WideOf<T>;
    const auto value = convert<Wide>(element);
    switch (each) {
      case Each::kItself:
        break;
      case Each::kMagnitude:
        return value <= 0 ? Wide{0} - value : value;  // of -0 as well
      case Each::kSquare:
        return value * value;
      case Each::kIsNotZero:
        return value != 0 ? Wide{1} : Wide{0};
    }
    return value;
  }
};

/// NaN wins over all numbers.
template <typename Wide>
struct Join {
  Joined joined;

  __host__ __device__ Wide operator()(Wide a, Wide b) const {
    if (joined == Joined::kSum) return a + b;
    const bool takes_a = joined == Joined::kMost ? a > b : a < b;
    return takes_a || a != a ? a : b;
  }
  /// What joined with any number leaves it as it is.
  __host__ __device__ Wide neutral() const {
    using Limits = std::numeric_limits<Wide>;
    if (joined == Joined::kSum) return 0;
    if (joined == Joined::kLeast) return Limits::has_infinity ? Limits::infinity() : Limits::max();
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
};

}  // namespace assay::cuda
