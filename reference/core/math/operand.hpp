// What operators take: tensors and numbers, and how their common dtype, shape and device are found.
#pragma once

#include <variant>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/promote.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

using Operand = std::variant<Tensor, Scalar>;

inline const Tensor* tensor_in(const Operand& operand) { return std::get_if<Tensor>(&operand); }

/// The default dtype, for numbers with a point, is float32.
ScalarType result_type(const std::vector<Operand>& operands, const Contract& contract);

/// Of all tensors among them.
Shape broadcast_shape(const std::vector<Operand>& operands);

/// For element-wise operators: the device of the tensors, where a 0-dim one on the CPU may stand
/// beside others. Raises `error` that names both devices (CORE-20).
Device elementwise_device(const std::vector<Operand>& operands);

/// For all other operators: every defined tensor is on this device. Raises `error` that names both
/// devices and the operator.
Device common_device(const std::vector<Tensor>& tensors, std::string_view name);

/// Strides of an element-wise result: those of the operands where all agree, else contiguous.
Shape elementwise_strides(const std::vector<Operand>& operands, const Shape& sizes);

}  // namespace assay::reference
