// Checks that reject writes to tensors whose elements share memory (CORE-21).
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` if a stride of 0 maps several elements to one.
void require_own_elements(const Tensor& written);

/// Raises `error` if both are dense and `written` shares some, but not all, of its elements with
/// `read`.
void require_no_partial_overlap(const Tensor& written, const Tensor& read);

/// Returns whether an element of one may overlap a different element of the other. Compares the
/// memory ranges from first to last element, including gaps.
bool may_overlap(const Tensor& a, const Tensor& b);

/// Returns whether both have the same elements at the same positions.
bool is_same_view(const Tensor& a, const Tensor& b);

}  // namespace assay::cuda
