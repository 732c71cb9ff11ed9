// The layout of floating-point formats.
#pragma once

#include "harness/protocol/dtype.hpp"

namespace assay {

/// Beside these bits, an element has its sign.
struct FloatFormat {
  int mantissa_bits;
  int exponent_bits;
};

/// Of float16, bfloat16, float32 or float64.
constexpr FloatFormat format_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return {10, 5};
    case Dtype::kBfloat16:
      return {7, 8};
    case Dtype::kFloat32:
      return {23, 8};
    default:
      return {52, 11};
  }
}

}  // namespace assay
