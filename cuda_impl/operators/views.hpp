// Tensors of other shapes on the same memory, and tensors put together.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// From -dims to dims - 1. Raises `index` with the range (CORE-12).
std::int64_t wrapped_dim(std::int64_t dim, std::int64_t dims);

/// A size of -1 stays as it is (CORE-12).
Tensor expand(const Tensor& tensor, const Shape& sizes);
/// A view where strides allow it, otherwise a copy. One size may be -1.
Tensor reshape(const Tensor& tensor, const Shape& sizes);
Tensor transpose(const Tensor& tensor, std::int64_t a, std::int64_t b);
/// At most two dimensions.
Tensor t(const Tensor& tensor);
Tensor unsqueeze(const Tensor& tensor, std::int64_t dim);
Tensor narrow(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length);

/// Promoted to a common type. A tensor of shape [0] is left out whatever the others' dimensions.
Tensor cat(std::span<const Tensor> tensors, std::int64_t dim = 0);
Tensor stack(std::span<const Tensor> tensors, std::int64_t dim = 0);

}  // namespace assay::cuda
