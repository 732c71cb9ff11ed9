// Matrix and vector products with wide accumulators and one rounding at the store (CORE-22).
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

Tensor mm(Runtime& runtime, const Tensor& left, const Tensor& right);
/// Factors of beta * input + alpha * left @ right; `input` is broadcast, and not read if beta is 0.
struct AddmmFactors {
  double beta = 1;
  double alpha = 1;
};
Tensor addmm(Runtime& runtime, const Tensor& input, const Tensor& left, const Tensor& right,
             AddmmFactors factors = {});
/// Computes x @ weightᵀ + bias. `bias` may be undefined; `x` may have leading dimensions.
Tensor linear(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias);
Tensor bmm(Runtime& runtime, const Tensor& left, const Tensor& right);
Tensor baddbmm(Runtime& runtime, const Tensor& input, const Tensor& left, const Tensor& right,
               AddmmFactors factors = {});
Tensor mv(Runtime& runtime, const Tensor& matrix, const Tensor& vector);
Tensor dot(Runtime& runtime, const Tensor& left, const Tensor& right);

}  // namespace assay::reference
