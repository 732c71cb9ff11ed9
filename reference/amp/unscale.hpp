// The kernels of `_amp_foreach_non_finite_check_and_unscale_`.
#pragma once

#include <vector>

#include "reference/amp/launch_plan.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct UnscaleTensors {
  std::vector<Tensor> grads;
  Tensor found_inf;  ///< one element, float32; is only ever set to 1 (AMP-206)
  Tensor inv_scale;  ///< one element, float32; read-only
};

/// Unscales the gradients in place and sets the flag if an element is not finite (AMP-201).
/// `kernel` selects the device type's kernel.
void unscale_kernel(Runtime& runtime, DeviceType kernel, const UnscaleTensors& tensors);

}  // namespace assay::reference
