// Builds the common geometry in which several tensors are walked, rejects writes to tensors whose
// elements share memory (CORE-21), and prepares the operands of binary operators: common dtype,
// shape, device and strides.
#pragma once

#include <span>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/geometry.cuh"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda {

/// The strides of an output and its inputs for
/// the same sizes; null for an unused input.
struct WalkedStrides {
  const Shape* out = nullptr;
  const Shape* left = nullptr;
  const Shape* right = nullptr;
};

/// Follows the memory order of the output and merges dimensions that are contiguous in all tensors.
/// Raises `error` if more than `kMostDims` remain.
Geometry<3> walk_of(const Shape& sizes, const WalkedStrides& strides);

/// Inputs are broadcast to the output's sizes; null for an unused one.
Geometry<3> walk_of(const Tensor& out, const Tensor* left, const Tensor* right = nullptr);

/// Raises `error` if a stride of 0 maps several elements to one.
void require_own_elements(const Tensor& written);

/// Raises `error` if both are dense and `written` shares some, but not all, of its elements with
/// `read`.
void require_no_partial_overlap(const Tensor& written, const Tensor& read);

/// Returns whether an element of one may overlap a different element of the other. Compares the
/// memory ranges from first to last element, including gaps.
bool may_overlap(const Tensor& a, const Tensor& b);

/// Returns whether both have the same elements at the same positions.
bool is_same_view(const Tensor& a, const Tensor& b);

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
