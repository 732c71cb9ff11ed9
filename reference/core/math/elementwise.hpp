// Element-wise operators: type promotion, broadcasting, and one rounding at the store (CORE-22).
#pragma once

#include "reference/core/math/operand.hpp"

namespace assay::reference {

enum class Binary : std::uint8_t { kAdd, kSub, kMul, kDiv };

/// At least one operand must be a tensor. Integer division is computed in float32.
Tensor binary(Runtime& runtime, Binary op, const Operand& left, const Operand& right);
inline Tensor mul(Runtime& runtime, const Operand& left, const Operand& right) {
  return binary(runtime, Binary::kMul, left, right);
}
inline Tensor add(Runtime& runtime, const Operand& left, const Operand& right) {
  return binary(runtime, Binary::kAdd, left, right);
}

/// Adds in place. Raises `error` if the result's shape differs from the tensor's, or its dtype
/// cannot be cast to the tensor's.
Tensor add_(Runtime& runtime, const Tensor& tensor, const Operand& other);

Tensor neg(Runtime& runtime, const Tensor& tensor);
/// Preserves -0 and NaN.
Tensor relu(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
