// The equations of einsum: which dimensions are multiplied, summed and kept.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::aten {

/// Multiplies two batches of matrices, [b, r, s] by [b, s, c], if `is_contraction`; otherwise
/// [b, r, 1] by [b, 1, c], element by element.
using BatchProduct =
    std::function<Tensor(const Tensor& left, const Tensor& right, bool is_contraction)>;

/// Contracts the tensors from left to right. Ellipses, and a letter twice in a term, raise
/// `not_implemented`.
Tensor contracted(std::string_view equation, const std::vector<Tensor>& tensors,
                  const BatchProduct& product);

}  // namespace assay::cuda::aten
