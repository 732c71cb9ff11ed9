// Reductions: sum, product, maximum and minimum.
#pragma once

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

}  // namespace assay::cuda
