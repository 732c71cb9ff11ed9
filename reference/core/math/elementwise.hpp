// Operators on one element at a time: promotion, broadcasting, one rounding on storing (CORE-22).
#pragma once

#include "reference/core/math/operand.hpp"

namespace assay::reference {

enum class Binary : std::uint8_t { kAdd, kSub, kMul, kDiv };

/// At least one operand is a tensor. `div` of integers is in float32.
Tensor binary(Runtime& runtime, Binary op, const Operand& left, const Operand& right);
inline Tensor mul(Runtime& runtime, const Operand& left, const Operand& right) {
  return binary(runtime, Binary::kMul, left, right);
}
inline Tensor add(Runtime& runtime, const Operand& left, const Operand& right) {
  return binary(runtime, Binary::kAdd, left, right);
}

/// In place. Raises `error` when the result has another shape than `tensor`, or a dtype that cannot
/// be cast to its own.
Tensor add_(Runtime& runtime, const Tensor& tensor, const Operand& other);

Tensor neg(Runtime& runtime, const Tensor& tensor);
/// Keeps -0 and NaN as they are.
Tensor relu(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
