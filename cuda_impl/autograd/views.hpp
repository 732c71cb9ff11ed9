// Gradients through tensors that show another's elements, or their copies.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autograd {

/// `made` has the elements of `source`, repeated, converted or moved: where `source` requires a
/// gradient, so does `made`, and its gradient is summed and cast back. Nothing is done to a tensor
/// that is `source` itself, and to one of a type that has no gradients.
Tensor made_of(const Tensor& made, const Tensor& source);

/// `view` is a strided view of `source`: each of its elements is one of `source`'s. Going back
/// raises `not_implemented` where elements of the view overlap, and where `source` is not
/// contiguous.
Tensor view_of(const Tensor& view, const Tensor& source);

}  // namespace assay::cuda::autograd
