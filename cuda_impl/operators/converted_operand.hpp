// Prepares the operands of binary operators: common dtype, shape, device and strides.
#pragma once

#include <span>

#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/operators/operand.hpp"

namespace assay::cuda {

/// The device of an element-wise operator. A 0-dim CPU tensor may be combined with others. Raises
/// `error` with both devices (CORE-20).
Device elementwise_device(std::span<const Operand> operands);

/// The device of any other operator, which all defined tensors must share.
Device common_device(std::span<const Tensor> tensors);

/// Broadcasts all tensors among the operands.
Shape broadcast_sizes(std::span<const Operand> operands);

/// Dense strides for a result, in the dimension order of the operands' strides.
Shape elementwise_strides(std::span<const Operand> operands, const Shape& sizes);

/// An operand converted for a kernel: a tensor of the common dtype, or a number.
struct ConvertedOperand {
  Tensor tensor;  ///< undefined if `number` is used instead
  Number number;
};
ConvertedOperand converted_operand(const Operand& operand, Dtype common, Device device);

/// Rounds the number to the dtype.
Number narrowed(const Number& number, Dtype dtype);

}  // namespace assay::cuda
