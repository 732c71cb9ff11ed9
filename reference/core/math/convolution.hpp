// Convolutions over any number of dimensions, and their transposes.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// One number for each dimension that the kernel slides over.
struct ConvOptions {
  Shape stride;
  Shape padding;
  Shape dilation;
  std::int64_t groups = 1;
  bool transposed = false;
  Shape output_padding = {};  ///< of a transposed convolution
};

/// `x` is [batch, channels, sizes...] or [channels, sizes...]. `weight` is [out channels, channels
/// / groups, sizes...], of a transposed convolution [channels, out channels / groups, sizes...];
/// `bias` has a number for each output channel, or is undefined.
Tensor convolution(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const ConvOptions& options);

}  // namespace assay::reference
