// Gradients through tensors that show another's elements, or their copies.
#pragma once

#include <string_view>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autograd {

/// `made` has the elements of `source`, repeated, converted or moved: where `source` requires a
/// gradient, so does `made`, and its gradient is summed and cast back. Nothing is done to a tensor
/// that is `source` itself, and to one of a type that has no gradients. `kind`: of the node.
Tensor made_of(const Tensor& made, const Tensor& source, std::string_view kind = "cast");

/// `view` is a strided view of `source`: each of its elements is one of `source`'s. Going back
/// raises `not_implemented` where elements of the view overlap, and where `source` is not
/// contiguous.
Tensor view_of(const Tensor& view, const Tensor& source);

// Other shapes.

Tensor expanded(const Tensor& tensor, const Shape& sizes);
Tensor reshaped(const Tensor& tensor, const Shape& sizes);
/// The last two dimensions are exchanged; nothing for a vector.
Tensor transposed(const Tensor& tensor);
/// Summed over what `sizes` were broadcast along. Raises `error` where they were not.
Tensor summed_to(const Tensor& tensor, const Shape& sizes);
Tensor narrowed(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length);

}  // namespace assay::cuda::autograd
