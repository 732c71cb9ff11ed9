// Element-wise operators: promotion, broadcasting, one rounding when stored (CORE-22).
#pragma once

#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda {

// At least one operand is a tensor. All tensors must be on one device, except 0-dim CPU tensors
// (CORE-20). Meta tensors get shapes and dtypes only (CORE-23).

/// `left + alpha * right`.
Tensor add(const Operand& left, const Operand& right, const Scalar& alpha = 1);
/// `left - alpha * right`. Raises `error` if an operand is a bool.
Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha = 1);
/// `release`: on the CPU, 1.13 narrows a number beside a half type.
Tensor mul(const Operand& left, const Operand& right, Release release = kNewestRelease);
/// Integers are divided as float32.
Tensor div(const Operand& left, const Operand& right, Release release = kNewestRelease);

/// In place: the result must have the shape of `target` and a dtype that can be cast to its own.
/// Each counts one version.
void add_(const Tensor& target, const Operand& other, const Scalar& alpha = 1);
void sub_(const Tensor& target, const Operand& other, const Scalar& alpha = 1);
void mul_(const Tensor& target, const Operand& other, Release release = kNewestRelease);

/// Raises `error` for bool tensors.
Tensor neg(const Tensor& tensor);
/// Preserves -0 and NaN. Raises `error` for bool tensors.
Tensor relu(const Tensor& tensor);
/// `(left - right)²`, rounded once.
Tensor squared_difference(const Tensor& left, const Tensor& right);
/// Returns `tensor` where `gate` (of the same dtype) is positive or NaN, otherwise 0.
Tensor where_above_zero(const Tensor& tensor, const Tensor& gate);
/// Floating dtypes only.
Tensor square_root(const Tensor& tensor);

}  // namespace assay::cuda
