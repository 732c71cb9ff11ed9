// Convolution over one to three dimensions: computed in float32 (float64 for float64) and rounded
// once (CORE-22).
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// One number for each dimension in each shape.
struct ConvolutionOptions {
  Shape stride;
  Shape padding;
  Shape dilation;
  std::int64_t groups = 1;
  bool is_transposed = false;
  Shape more = {};  ///< output padding, if transposed
};
/// `input` [batch, channels, sizes...] or [channels, sizes...], `weight` [out, channels / groups,
/// sizes...], transposed [channels, out / groups, sizes...]; `bias` may be undefined.
Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias,
                   const ConvolutionOptions& options);

}  // namespace assay::cuda
