// In-place writes: the checks that reject tensors with shared memory (CORE-21), and what every
// write calls at its end.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Raises `error` if some elements of `dst` share memory. Detects only stride 0; like PyTorch, it
/// accepts other overlaps, which are expensive to find.
void check_no_internal_overlap(const Tensor& dst);

/// Raises `error` if both are dense and share elements without being the same view.
void check_no_partial_overlap(const Tensor& dst, const Tensor& src);

/// Returns whether both refer to the same elements of a storage in the same order and type.
bool is_same_view(const Tensor& left, const Tensor& right);

/// Raises `error` for an inference tensor outside inference mode, because it has no version
/// (CORE-14). The write has happened.
void check_written(const Runtime& runtime, const Tensor& tensor);

/// Bumps the version, and checks so.
void note_write(const Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
