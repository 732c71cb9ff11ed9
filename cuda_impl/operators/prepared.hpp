// What binary operators make of their operands: a common type, a shape, a place, and strides.
#pragma once

#include <span>

#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/operators/operand.hpp"

namespace assay::cuda {

/// Where an element-wise operator runs: a tensor of the host without dimensions may stand beside
/// others. Raises `error` that names both devices (CORE-20).
Device elementwise_device(std::span<const Operand> operands);

/// Where any other operator runs: all defined tensors are there.
Device common_device(std::span<const Tensor> tensors);

/// Of all tensors among the operands.
Shape broadcast_sizes(std::span<const Operand> operands);

/// Strides of a new result: in the order that the operands' strides ask for, without gaps.
Shape elementwise_strides(std::span<const Operand> operands, const Shape& sizes);

/// One operand, ready for a kernel: a tensor of the common type, or a number.
struct Prepared {
  Tensor tensor;  ///< undefined where `number` stands for it
  Number number;
};
Prepared prepared(const Operand& operand, Dtype common, Device device);

/// A number as it is in that type.
Number narrowed(const Number& number, Dtype dtype);

}  // namespace assay::cuda
