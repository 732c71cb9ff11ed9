// The kernels of `_amp_update_scale_`, as the dispatcher calls them.
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

/// Moves `scale` and `growth_tracker` in place; `found_inf` is only read. Returns `scale` itself
/// (AMP-101). `kernel` says whose kernel it is: every tensor must live there (AMP-115).
Tensor update_scale_kernel(Runtime& runtime, DeviceType kernel, const UpdateScaleTensors& tensors,
                           const ScaleFactors& factors);

}  // namespace assay::reference
