// The kernels of `_amp_foreach_non_finite_check_and_unscale_`, as the dispatcher calls them.
#pragma once

#include <vector>

#include "reference/amp/launch_plan.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct UnscaleTensors {
  std::vector<Tensor> grads;
  Tensor found_inf;  ///< one element, float32; only ever raised to 1 (AMP-206)
  Tensor inv_scale;  ///< one element, float32; only read
};

/// Unscales every gradient in place and raises the flag if any element was not finite (AMP-201).
/// `kernel` says whose kernel it is.
void unscale_kernel(Runtime& runtime, DeviceType kernel, const UnscaleTensors& tensors);

}  // namespace assay::reference
