// Gradients of views and of element copies.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autograd {

/// `made` has the elements of `source`, possibly repeated, converted or moved. If `source` requires
/// a gradient, records `made`; its gradient is summed and cast back. Does nothing if `made` is
/// `source` or its dtype has no gradients.
Tensor made_of(const Tensor& made, const Tensor& source);

/// `view` is a strided view of `source`. Its
/// backward raises `not_implemented` if elements of
/// the view overlap or `source` is not contiguous.
Tensor view_of(const Tensor& view, const Tensor& source);

// Shape operators.

Tensor expanded(const Tensor& tensor, const Shape& sizes);
Tensor reshaped(const Tensor& tensor, const Shape& sizes);
/// Swaps the last two dimensions; returns a vector unchanged.
Tensor transposed(const Tensor& tensor);
/// Sums over the dimensions along which `sizes` was broadcast; otherwise raises `error`.
Tensor summed_to(const Tensor& tensor, const Shape& sizes);
Tensor narrowed(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length);

}  // namespace assay::cuda::autograd
