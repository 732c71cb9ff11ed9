// What a tensor that was made of another one says about gradients.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// `made` comes from `source` in a way that gradients do not go back: it requires a gradient where
/// that does, and is no leaf then. Nothing for a tensor that is `source` itself, and for a type
/// that has no gradients.
inline Tensor derived(const Tensor& made, const Tensor& source) {
  const DtypeFacts& type = facts(made.dtype());
  const bool can_have_gradients = type.is_floating || type.is_complex;
  if (made.is_same(source) || !source->requires_grad || !can_have_gradients) return made;
  made->requires_grad = true;
  made->is_leaf = false;
  return made;
}

}  // namespace assay::cuda
