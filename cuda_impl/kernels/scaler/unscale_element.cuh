// Unscales one gradient element and tests it for inf and NaN.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <type_traits>

namespace assay::cuda {

/// AMP-202: half types are multiplied in float and rounded when they are stored.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

/// A single comparison, which is also false for NaN.
__device__ inline bool is_finite(float value) { return fabsf(value) < INFINITY; }

/// Multiplies `value` by `factor`, unless it is 1 (AMP-204). Returns whether it was inf or NaN.
template <typename Real>
__device__ inline bool unscale_element(Real& value, float factor) {
  const auto wide = static_cast<Wide<Real>>(value);
  if (factor != 1.0f) value = static_cast<Real>(wide * static_cast<Wide<Real>>(factor));
  // AMP-209: a double is narrowed for this test only.
  return !is_finite(static_cast<float>(wide));
}

}  // namespace assay::cuda
