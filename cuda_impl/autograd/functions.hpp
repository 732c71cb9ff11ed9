// Operators that leave a way back where one of their arguments requires a gradient.
#pragma once

#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/normalize.hpp"

namespace assay::cuda::autograd {

// Each computes as the operator of the same name does.

Tensor add(const Operand& left, const Operand& right, const Scalar& alpha = 1);
Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha = 1);
Tensor mul(const Operand& left, const Operand& right, Release release = Release::k2_11);
/// Of all elements.
Tensor sum(const Tensor& tensor);
Tensor mean(const Tensor& tensor);
Tensor mm(const Tensor& left, const Tensor& right);
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);

}  // namespace assay::cuda::autograd
