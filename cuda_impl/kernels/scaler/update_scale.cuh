// Updates the scale: backs off after inf or NaN, grows after enough clean steps.
#pragma once

#include <cuda_runtime.h>

#include "cuda_impl/kernels/scaler/scale_state.hpp"

namespace assay::cuda {

/// AMP-103: multiplies in double and rounds once to float.
__device__ inline float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

/// Called by one thread. Reads the flag before it writes anything (AMP-119).
__device__ inline void update_scale(const ScaleState& state, const ScaleFactors& factors) {
  const float scale = *state.scale;
  if (*state.found_inf != 0.0f) {  // AMP-102: true for NaN too
    *state.scale = scaled_by(scale, factors.backoff);
    *state.growth_tracker = 0;
    return;
  }
  // AMP-110: wraps around.
  const auto clean = static_cast<std::int32_t>(static_cast<unsigned>(*state.growth_tracker) + 1u);
  if (clean != factors.interval) {  // AMP-108: not "less than"
    *state.growth_tracker = clean;
    return;
  }
  const float grown = scaled_by(scale, factors.growth);
  if (factors.grows_to_infinity || isfinite(grown)) *state.scale = grown;
  *state.growth_tracker = 0;  // AMP-107: also if the growth was refused
}

}  // namespace assay::cuda
