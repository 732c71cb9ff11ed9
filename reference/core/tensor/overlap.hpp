// Checks that reject writes to tensors with shared memory (CORE-21).
#pragma once

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Raises `error` if some elements of `dst` share memory. Detects only stride 0; like PyTorch, it
/// accepts other overlaps, which are expensive to find.
void check_no_internal_overlap(const Tensor& dst);

/// Raises `error` if both are dense and share elements without being the same view.
void check_no_partial_overlap(const Tensor& dst, const Tensor& src);

/// Returns whether both refer to the same elements of a storage in the same order and type.
bool is_same_view(const Tensor& left, const Tensor& right);

}  // namespace assay::reference
