// Unscales elements in memory: the work of one block.
#pragma once

#include <cstdint>

#include "reference/amp/launch_plan.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct UnscaleContext {
  float inv_scale = 1;
  bool tests_as_float = false;  ///< AMP-209
};

/// Unscales a part of a dense tensor in memory order. Returns the number of elements that were not
/// finite.
std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context);

/// Unscales the elements of a view with any strides, and no others (AMP-306).
std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context);

}  // namespace assay::reference
