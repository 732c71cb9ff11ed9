// Element-wise operators: type promotion, broadcasting, and one rounding at the store (CORE-22);
// functions of real numbers.
#pragma once

#include <functional>
#include <span>

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

// Functions of real numbers, for operators that round only their result.

/// Computes an element from the operands' elements at its place.
using RealFunction = std::function<double(std::span<const double> operands)>;

/// Broadcasts the operands; the result has the given dtype. Computed in double (CORE-22).
Tensor map_real(Runtime& runtime, const char* name, const std::vector<Operand>& operands,
                ScalarType dtype, RealFunction function);

/// The common dtype of the operands; integers become float32.
ScalarType real_type(const std::vector<Operand>& operands, const Contract& contract);

}  // namespace assay::reference
