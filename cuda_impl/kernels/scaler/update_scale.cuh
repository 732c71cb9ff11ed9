// Update the scale: down at once when a gradient was not finite, up after enough clean steps.
#pragma once

#include <cuda_runtime.h>

#include "cuda_impl/kernels/scaler/scale_state.hpp"

namespace assay::cuda {

/// AMP-103: both operands are double, and one rounding to float ends it.
__device__ inline float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

/// For one thread. The flag is read before anything is written (AMP-119).
__device__ inline void update_scale(const ScaleState& state, const ScaleFactors& factors) {
  const float scale = *state.scale;
  if (*state.found_inf != 0.0f) {  // AMP-102: NaN counts
    *state.scale = scaled_by(scale, factors.backoff);
    *state.growth_tracker = 0;
    return;
  }
  // AMP-110: wraps.
  const auto clean = static_cast<std::int32_t>(static_cast<unsigned>(*state.growth_tracker) + 1u);
  if (clean != factors.interval) {  // AMP-108: not "less than"
    *state.growth_tracker = clean;
    return;
  }
  const float grown = scaled_by(scale, factors.growth);
  if (factors.grows_to_infinity || isfinite(grown)) *state.scale = grown;
  *state.growth_tracker = 0;  // AMP-107: after a refusal as well
}

}  // namespace assay::cuda
