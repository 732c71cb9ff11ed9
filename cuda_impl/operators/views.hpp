// Views of other shapes, and concatenation.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Accepts -dims to dims - 1. Raises `index` with the valid range (CORE-12).
std::int64_t wrapped_dim(std::int64_t dim, std::int64_t dims);

/// A size of -1 keeps the dimension's size (CORE-12).
Tensor expand(const Tensor& tensor, const Shape& sizes);
/// Returns a view if the strides permit it, otherwise a copy. One size may be -1.
Tensor reshape(const Tensor& tensor, const Shape& sizes);
Tensor transpose(const Tensor& tensor, std::int64_t a, std::int64_t b);
/// Accepts at most two dimensions.
Tensor t(const Tensor& tensor);
Tensor unsqueeze(const Tensor& tensor, std::int64_t dim);
Tensor narrow(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length);

/// Promotes to a common dtype. Skips tensors of shape [0], whatever the dimensions of the others.
Tensor cat(std::span<const Tensor> tensors, std::int64_t dim = 0);
Tensor stack(std::span<const Tensor> tensors, std::int64_t dim = 0);

}  // namespace assay::cuda
