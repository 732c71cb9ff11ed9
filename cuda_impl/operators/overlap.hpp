// Which tensors an operator refuses to write to, because elements share their memory (CORE-21).
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` where a stride of 0 makes several elements one.
void require_own_elements(const Tensor& written);

/// Raises `error` where a dense `written` shares some, but not all, of its elements with a dense
/// `read`.
void require_no_partial_overlap(const Tensor& written, const Tensor& read);

/// May an element of one lie in another place of the other? Memory between the first element and
/// the last counts, gaps or not.
bool may_overlap(const Tensor& a, const Tensor& b);

/// The same elements in the same places.
bool is_same_view(const Tensor& a, const Tensor& b);

}  // namespace assay::cuda
