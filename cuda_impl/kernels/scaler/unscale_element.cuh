// One element of a gradient: unscaled, and looked at.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <type_traits>

namespace assay::cuda {

/// AMP-202: half types are multiplied in float, and rounded again when they are stored.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

/// One comparison, which NaN fails too.
__device__ inline bool is_finite(float value) { return fabsf(value) < INFINITY; }

/// Whether `value` was bad; unscales it unless the factor is one (AMP-204).
template <typename Real>
__device__ inline bool unscale_element(Real& value, float factor) {
  const auto wide = static_cast<Wide<Real>>(value);
  if (factor != 1.0f) value = static_cast<Real>(wide * static_cast<Wide<Real>>(factor));
  // AMP-209: a double is narrowed for the test, and only for it.
  return !is_finite(static_cast<float>(wide));
}

}  // namespace assay::cuda
