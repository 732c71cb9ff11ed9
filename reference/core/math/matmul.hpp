// Matrix and vector products with wide accumulators and one rounding at the store (CORE-22).
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

Tensor mm(Runtime& runtime, const Tensor& left, const Tensor& right);
/// Factors of beta * input + alpha * left @ right; `input` is broadcast.
struct AddmmFactors {
  double beta = 1;
  double alpha = 1;
};
Tensor addmm(Runtime& runtime, const Tensor& input, const Tensor& left, const Tensor& right,
             AddmmFactors factors = {});
/// Computes x @ weightᵀ + bias. `bias` may be undefined; `x` may have leading dimensions.
Tensor linear(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias);
Tensor bmm(Runtime& runtime, const Tensor& left, const Tensor& right);
Tensor mv(Runtime& runtime, const Tensor& matrix, const Tensor& vector);
Tensor dot(Runtime& runtime, const Tensor& left, const Tensor& right);

struct ConvOptions {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
};
/// `x` is [batch, channels, length] or [channels, length]; `weight` is [out, channels, width].
Tensor conv1d(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias,
              ConvOptions options = {});

}  // namespace assay::reference
