// Operators on one element at a time: promoted, broadcast, rounded once when stored (CORE-22).
#pragma once

#include "cuda_impl/operators/operand.hpp"

namespace assay::cuda {

// At least one operand is a tensor. Tensors are on one device, but for those of the host without
// dimensions (CORE-20). On meta: shapes and types only (CORE-23).

/// `left + alpha * right`.
Tensor add(const Operand& left, const Operand& right, const Scalar& alpha = 1);
/// `left - alpha * right`. Raises `error` for a bool on either side.
Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha = 1);
/// `release`: on the host, numbers beside half types were narrowed in 1.13.
Tensor mul(const Operand& left, const Operand& right, Release release = Release::k2_11);
/// Integers are divided in float32.
Tensor div(const Operand& left, const Operand& right, Release release = Release::k2_11);

/// In place: the result has the shape of `target` and a type that may be cast to its own. Count one
/// version.
void add_(const Tensor& target, const Operand& other, const Scalar& alpha = 1);
void sub_(const Tensor& target, const Operand& other, const Scalar& alpha = 1);
void mul_(const Tensor& target, const Operand& other, Release release = Release::k2_11);

/// Raises `error` for a bool.
Tensor neg(const Tensor& tensor);
/// Keeps -0 and NaN. Raises `error` for a bool.
Tensor relu(const Tensor& tensor);
/// `(left - right)²`, rounded once.
Tensor squared_difference(const Tensor& left, const Tensor& right);
/// `tensor` where `gate`, of the same type, is above 0 or NaN; 0 elsewhere.
Tensor where_above_zero(const Tensor& tensor, const Tensor& gate);
/// Of a floating type.
Tensor square_root(const Tensor& tensor);

}  // namespace assay::cuda
