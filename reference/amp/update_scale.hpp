// The kernels of `_amp_update_scale_`.
#pragma once

#include "reference/amp/update_rule.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

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
