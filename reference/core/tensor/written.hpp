// What every in-place write ends with.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Counts the write. Raises `error`, after the fact, for a tensor of inference mode that was
/// written outside of it: it has no version to count (CORE-14).
void note_write(const Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
