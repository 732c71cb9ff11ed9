// Operands of operators, and their common dtype, shape and device.
#pragma once

#include <variant>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

using Operand = std::variant<Tensor, Scalar>;

inline const Tensor* tensor_in(const Operand& operand) { return std::get_if<Tensor>(&operand); }

/// Floating-point numbers have the default dtype float32.
ScalarType result_type(const std::vector<Operand>& operands, const Contract& contract);

/// Considers the tensors among the operands.
Shape broadcast_shape(const std::vector<Operand>& operands);

/// For element-wise operators: returns the device of the tensors; a 0-dim CPU tensor may be
/// combined with any device. Raises `error` naming both devices (CORE-20).
Device elementwise_device(const std::vector<Operand>& operands);

/// For all other operators: requires that all defined tensors are on one device. Raises `error`
/// naming the devices and the operator.
Device common_device(const std::vector<Tensor>& tensors, std::string_view name);

/// Returns the result's strides: the operands' if they agree, otherwise contiguous ones.
Shape elementwise_strides(const std::vector<Operand>& operands, const Shape& sizes);

}  // namespace assay::reference
