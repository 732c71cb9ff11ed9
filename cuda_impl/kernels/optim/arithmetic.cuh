// The arithmetic of optimizer steps: the type that elements are computed in, and powers, bit-
// identical on every device.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

namespace assay::cuda {

template <typename Real>
struct WideOf {
  using Type = float;
};
template <>
struct WideOf<double> {
  using Type = double;
};
template <typename Real>
using Wide = typename WideOf<Real>::Type;

/// Rounds to the tensor's type and back, as a store between two operators would.
template <typename Real>
__host__ __device__ inline Wide<Real> rounded(Wide<Real> value) {
  return static_cast<Wide<Real>>(static_cast<Real>(value));
}

namespace detail {

/// A number as the unevaluated sum of two doubles, with about 105 significant bits.
struct TwoDoubles {
  double high;
  double low;
};

__host__ __device__ inline TwoDoubles product(TwoDoubles a, TwoDoubles b) {
  const double high = a.high * b.high;
  // The rounding error of the product and the two cross terms that are not negligible.
  const double low = std::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high);
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

/// `base` to the power of a non-negative integer.
__host__ __device__ inline TwoDoubles whole_power(double base, double exponent) {
  TwoDoubles result{1, 0};
  TwoDoubles square{base, 0};
  while (exponent >= 1 && result.high != 0) {
    const double half = std::floor(exponent * 0.5);
    if (half * 2 != exponent) result = product(result, square);
    square = product(square, square);
    exponent = half;
  }
  return result;
}

/// `base` to the power of a number below 1, as a product of repeated square roots.
__host__ __device__ inline double fraction_power(double base, double exponent) {
  double result = 1;
  double root = base;
  for (int bit = 0; bit < 60 && exponent > 0; ++bit) {
    root = std::sqrt(root);
    exponent *= 2;
    if (exponent < 1) continue;
    result *= root;
    exponent -= 1;
  }
  return result;
}

}  // namespace detail

/// `base` is in [0, 1). An integer exponent, such as a step number, gives a correctly rounded
/// result; another exponent an error of a few ULP. Infinite exponents give NaN.
__host__ __device__ inline double power(double base, double exponent) {
  const double size = std::fabs(exponent);
  if (!(size < 0x1p63)) return exponent - exponent;
  const double whole = std::floor(size);
  const detail::TwoDoubles exact = detail::whole_power(base, whole);
  const double result = size == whole
                            ? exact.high + exact.low
                            : (exact.high + exact.low) * detail::fraction_power(base, size - whole);
  return exponent < 0 ? 1 / result : result;
}

/// Correctly rounded, except for results that are very close to halfway between two floats.
__host__ __device__ inline float power(float base, float exponent) {
  const double size = std::fabs(static_cast<double>(exponent));
  if (!(size < 0x1p63)) return exponent - exponent;
  double result = detail::fraction_power(base, size - std::floor(size));
  double square = base;
  for (double left = std::floor(size); left >= 1 && result != 0; square *= square) {
    const double half = std::floor(left * 0.5);
    if (half * 2 != left) result *= square;
    left = half;
  }
  return static_cast<float>(exponent < 0 ? 1 / result : result);
}

}  // namespace assay::cuda
