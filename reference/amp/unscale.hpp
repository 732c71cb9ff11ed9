// Unscale, from one element to the kernels of `_amp_foreach_non_finite_check_and_unscale_`.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/amp/launch_plan.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/dtype.hpp"

namespace assay::reference {

/// The result before the rounding to the element's type, which the store performs (AMP-202).
struct UnscaledElement {
  double value = 0;
  bool is_written = false;  ///< false: the element keeps its bits (AMP-204)
  bool is_bad = false;      ///< the input was not finite (AMP-205, AMP-207)
};

/// `tests_as_float`: CUDA narrows a double for the test only (AMP-209).
UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float);

struct UnscaleContext {
  float inv_scale = 1;
  bool tests_as_float = false;  ///< AMP-209
};

/// Unscales a part of a dense tensor in memory order. Returns the number of elements that were not
/// finite.
std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context);

/// Unscales the elements of a view with any strides, and no others (AMP-306).
std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context);

struct UnscaleTensors {
  std::vector<Tensor> grads;
  Tensor found_inf;  ///< one element, float32; is only ever set to 1 (AMP-206)
  Tensor inv_scale;  ///< one element, float32; read-only
};

/// Unscales the gradients in place and sets the flag if an element is not finite (AMP-201).
/// `kernel` selects the device type's kernel.
void unscale_kernel(Runtime& runtime, DeviceType kernel, const UnscaleTensors& tensors);

}  // namespace assay::reference
