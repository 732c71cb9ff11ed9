// Unscaling over memory: what one block of a kernel does to its elements.
#pragma once

#include <cstdint>

#include "reference/amp/launch_plan.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct UnscaleContext {
  float inv_scale = 1;
  bool tests_as_float = false;  ///< AMP-209
};

/// A part of a dense tensor, element after element as they lie in memory. Returns how many elements
/// were not finite.
std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context);

/// Exactly the elements of the view, whatever its strides (AMP-306).
std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context);

}  // namespace assay::reference
