// Applies functions of real numbers to elements: for operators that round only their result.
#pragma once

#include <functional>
#include <span>

#include "reference/core/math/operand.hpp"

namespace assay::reference {

/// Computes an element from the operands' elements at its place.
using RealFunction = std::function<double(std::span<const double> operands)>;

/// Broadcasts the operands; the result has the given dtype. Computed in double (CORE-22).
Tensor map_real(Runtime& runtime, const char* name, const std::vector<Operand>& operands,
                ScalarType dtype, RealFunction function);

/// The common dtype of the operands; integers become float32.
ScalarType real_type(const std::vector<Operand>& operands, const Contract& contract);

}  // namespace assay::reference
