// Replaces the contents of a tensor without changing its identity.
#pragma once

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Returns whether `tensor` can take over the data of `data` and stay the same object (MOVE-04).
bool is_compatible(const Tensor& tensor, const Tensor& data);

/// Makes `tensor` a view of the elements of `data`; keeps its version, gradient and hooks. Raises
/// `error` if it requires gradients and `data` is neither floating nor complex.
void set_data(const Tensor& tensor, const Tensor& data);

/// Returns a tensor with the same storage and version, without history, gradient and hooks.
Tensor shallow_copy(const Tensor& tensor);

/// Swaps everything except the identities, including version, gradient and hooks (MOVE-10). Raises
/// `error` while a weak handle or a graph holds one of them. A graph that leads to one of them can
/// no longer run backward into it.
void swap_contents(const Tensor& left, const Tensor& right);

}  // namespace assay::reference
