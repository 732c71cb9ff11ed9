// Matrix and vector products, and convolution over one to three dimensions: computed in float32
// (float64 for float64) and rounded once (CORE-22). Operands of products must have one dtype and
// one device; mismatched shapes raise `error`.
#pragma once

#include <cstdint>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

// Operands must have one dtype and one device; mismatched shapes raise `error`.

Tensor mm(const Tensor& left, const Tensor& right);
Tensor bmm(const Tensor& left, const Tensor& right);
Tensor mv(const Tensor& matrix, const Tensor& vector);
Tensor dot(const Tensor& left, const Tensor& right);
/// Selects dot, mv, mm or a broadcast batch product by the numbers of dimensions.
Tensor matmul(const Tensor& left, const Tensor& right);
/// Factors of `beta * bias + alpha * left @ right`; if beta is 0, the bias is not read.
struct AddmmFactors {
  Scalar beta = 1;
  Scalar alpha = 1;
};
Tensor addmm(const Tensor& bias, const Tensor& left, const Tensor& right,
             const AddmmFactors& factors = {});
/// The same for batches; `bias` is broadcast.
Tensor baddbmm(const Tensor& bias, const Tensor& left, const Tensor& right,
               const AddmmFactors& factors = {});
/// Computes `input @ weight.t() + bias`; `bias` may be undefined.
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

/// One number for each dimension in each shape.
struct ConvolutionOptions {
  Shape stride;
  Shape padding;
  Shape dilation;
  std::int64_t groups = 1;
  bool is_transposed = false;
  Shape more = {};  ///< output padding, if transposed
};
/// `input` [batch, channels, sizes...] or [channels, sizes...], `weight` [out, channels / groups,
/// sizes...], transposed [channels, out / groups, sizes...]; `bias` may be undefined.
Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias,
                   const ConvolutionOptions& options);

}  // namespace assay::cuda
