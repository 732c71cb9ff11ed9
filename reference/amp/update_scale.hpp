// The update of the loss scale: its rule as plain arithmetic, and the kernels of
// `_amp_update_scale_`.
#pragma once

#include <cstdint>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct ScaleState {
  float scale = 0;
  std::int32_t tracker = 0;
};

/// The factors that the caller of `_amp_update_scale_` passes; not validated (AMP-114).
struct ScaleFactors {
  double growth = 2.0;
  double backoff = 0.5;
  std::int64_t interval = 2000;
};

/// Differences between devices and releases.
struct UpdateRules {
  bool interval_is_int32 = false;  ///< CUDA: the interval modulo 2^32, signed (AMP-111)
  bool growth_is_guarded = true;   ///< since 2.1; earlier, growth can store inf (AMP-106)
};

/// Takes one of three branches: back off (AMP-103), count (AMP-104), or grow (AMP-105).
ScaleState next_scale_state(ScaleState now, float found_inf, const ScaleFactors& factors,
                            const UpdateRules& rules);

struct UpdateScaleTensors {
  Tensor scale;           ///< one element, float32
  Tensor growth_tracker;  ///< one element, int32
  Tensor found_inf;       ///< one element, float32; may alias `scale` (AMP-119)
};

/// Updates `scale` and `growth_tracker` in place and returns `scale` (AMP-101); only reads
/// `found_inf`. `kernel` is the device type that every tensor must be on (AMP-115).
Tensor update_scale_kernel(Runtime& runtime, DeviceType kernel, const UpdateScaleTensors& tensors,
                           const ScaleFactors& factors);

}  // namespace assay::reference
