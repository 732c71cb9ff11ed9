// Elementwise arithmetic with one or two operands.
#pragma once

#include <cmath>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/geometry.cuh"

namespace assay::cuda {

enum class Arithmetic : std::uint8_t {
  kSum,  ///< left + factor * right
  kProduct,
  kQuotient,           ///< floating types only
  kSquaredDifference,  ///< (left - right)²
  kWhereAboveZero,     ///< left where right > 0, otherwise 0
  kRelu,               ///< of left, like the operations below; NaN and -0 stay
  kReluOnCuda,         ///< the same, but -0 becomes 0
  kSquareRoot,         ///< floating types only
};

/// A scalar operand, in the floating and in the integer type.
struct Number {
  double real = 0;
  std::int64_t whole = 0;

  template <typename Wide>
  __host__ __device__ Wide as() const {
    if constexpr (std::is_integral_v<Wide>) {
      return whole;
    } else {
      return static_cast<Wide>(real);
    }
  }
};

/// An operand whose address is null is replaced by its scalar (`left` or `right`). The geometry has
/// at least one element.
struct ElementwiseTask {
  Arithmetic arithmetic = Arithmetic::kSum;
  Dtype dtype = Dtype::kFloat32;  ///< of the operands and the result
  Addresses addresses;
  Geometry<3> geometry;
  Number left;
  Number right;
  Number factor{1, 1};
};

void launch_elementwise(const ElementwiseTask& task);
void launch_sum_of_rows(const ElementwiseTask& task);
void launch_product_of_rows(const ElementwiseTask& task);
/// Supports any geometry; slower, because it computes the offset of each element.
void launch_strided_floating(const ElementwiseTask& task);
void launch_strided_whole(const ElementwiseTask& task);

namespace detail {

/// Signed integers are computed as unsigned ones so that overflow wraps around.
template <typename Wide>
using WrappingOf = std::conditional_t<std::is_integral_v<Wide>, std::uint64_t, Wide>;

template <typename Wide>
__host__ __device__ Wide computed(Arithmetic arithmetic, Wide left, Wide right, Wide factor) {
  using Wrapping = WrappingOf<Wide>;
  const auto a = static_cast<Wrapping>(left);
  const auto b = static_cast<Wrapping>(right);
  switch (arithmetic) {
    case Arithmetic::kSum:
      return static_cast<Wide>(a + static_cast<Wrapping>(factor) * b);
    case Arithmetic::kProduct:
      return static_cast<Wide>(a * b);
    case Arithmetic::kSquaredDifference:
      return static_cast<Wide>((a - b) * (a - b));
    case Arithmetic::kWhereAboveZero:
      return right <= 0 ? Wide{0} : left;
    case Arithmetic::kRelu:  // CORE-22
      return left < 0 ? Wide{0} : left;
    case Arithmetic::kReluOnCuda:
      return left <= 0 ? Wide{0} : left;
    default:
      break;
  }
  if constexpr (std::is_integral_v<Wide>) {
    return left;
  } else {
    return arithmetic == Arithmetic::kQuotient ? left / right : std::sqrt(left);
  }
}

}  // namespace detail

/// CORE-22: computed in the wide type and rounded once, when stored.
template <typename T>
struct Elementwise {
  using In = T;
  using Out = T;
  using Wide = WideOf<T>;
  static constexpr int kVectors = 1;  ///< limits code size: each element type has every operation

  Arithmetic arithmetic;
  bool has_left;
  bool has_right;
  Wide left;
  Wide right;
  Wide factor;

  explicit Elementwise(const ElementwiseTask& task)
      : arithmetic(task.arithmetic),
        has_left(task.addresses.left != nullptr),
        has_right(task.addresses.right != nullptr),
        left(task.left.as<Wide>()),
        right(task.right.as<Wide>()),
        factor(task.factor.as<Wide>()) {}

  __host__ __device__ T result(Arithmetic which, T a, T b) const {
    return convert<T>(detail::computed(which, has_left ? convert<Wide>(a) : left,
                                       has_right ? convert<Wide>(b) : right, factor));
  }
  __host__ __device__ T operator()(T a, T b) const { return result(arithmetic, a, b); }
};

/// The operation is a template parameter, so there is no branch for each element.
template <typename T, Arithmetic kWhich>
struct Only : Elementwise<T> {
  static constexpr int kVectors = 4;
  using Elementwise<T>::Elementwise;
  __device__ T operator()(T a, T b) const { return this->result(kWhich, a, b); }
};

}  // namespace assay::cuda
