// Products of vectors and matrices: float32 inside (float64 for float64), rounded once (CORE-22).
#pragma once

#include <cstdint>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

// Operands are of one type and on one device; shapes that do not fit raise `error`.

Tensor mm(const Tensor& left, const Tensor& right);
Tensor bmm(const Tensor& left, const Tensor& right);
Tensor mv(const Tensor& matrix, const Tensor& vector);
Tensor dot(const Tensor& left, const Tensor& right);
/// By the rules of the dimensions of both: dot, mv, mm, or a batch that is broadcast.
Tensor matmul(const Tensor& left, const Tensor& right);
/// `beta * bias + alpha * left @ right`; with beta 0 the bias is not read.
struct AddmmFactors {
  Scalar beta = 1;
  Scalar alpha = 1;
};
Tensor addmm(const Tensor& bias, const Tensor& left, const Tensor& right,
             const AddmmFactors& factors = {});
/// `input @ weight.t() + bias`; `bias` may be undefined.
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});

struct Conv1dOptions {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};
/// `input` [batch, channels, length] or [channels, length], `weight` [out, channels/groups, width];
/// `bias` may be undefined.
Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias = {},
              const Conv1dOptions& options = {});

}  // namespace assay::cuda
