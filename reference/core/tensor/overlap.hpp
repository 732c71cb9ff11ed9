// Which tensors an operator refuses to write to, because their elements share memory (CORE-21).
#pragma once

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Raises `error` when several elements of `dst` are known to be one. Only stride 0 is known;
/// other overlaps are too hard to see and are let through, as in PyTorch.
void check_no_internal_overlap(const Tensor& dst);

/// Raises `error` when both are dense and share some elements but are not the same view.
void check_no_partial_overlap(const Tensor& dst, const Tensor& src);

/// Do both look at the same elements of one storage in the same order, as one type?
bool is_same_view(const Tensor& left, const Tensor& right);

}  // namespace assay::reference
