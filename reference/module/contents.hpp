// What is inside a tensor, put into another one that keeps its identity.
#pragma once

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Can `tensor` take over what `data` views and stay the same object (MOVE-04)?
bool is_compatible(const Tensor& tensor, const Tensor& data);

/// `tensor` views the elements of `data` from now on; its version, gradient and hooks stay. Raises
/// `error` when it requires gradients and `data` is neither floating nor complex.
void set_data(const Tensor& tensor, const Tensor& data);

/// Another tensor on the same storage and version, without history, gradient and hooks.
Tensor shallow_copy(const Tensor& tensor);

/// Everything changes places but the two identities: also version, gradient and hooks (MOVE-10).
/// Raises `error` while a handle watches one of them.
void swap_contents(const Tensor& left, const Tensor& right);

}  // namespace assay::reference
