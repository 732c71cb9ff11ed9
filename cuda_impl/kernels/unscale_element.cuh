// One element of a gradient: unscaled, and looked at.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

namespace assay::cuda {

/// AMP-202: half types are multiplied in float, and rounded again when they are stored.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

__device__ inline bool is_finite(float value) {
  constexpr unsigned kExponent = 0x7f800000u;
  return (__float_as_uint(value) & kExponent) != kExponent;
}

/// Whether `value` was bad, as 0 or 1; unscales it unless the factor is one (AMP-204).
template <typename Real>
__device__ inline int unscale_element(Real& value, float factor) {
  const auto wide = static_cast<Wide<Real>>(value);
  if (factor != 1.0f) value = static_cast<Real>(wide * static_cast<Wide<Real>>(factor));
  // AMP-209: a double is narrowed for the test, and only for it.
  return is_finite(static_cast<float>(wide)) ? 0 : 1;
}

}  // namespace assay::cuda
