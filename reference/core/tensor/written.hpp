// Called at the end of every in-place write.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Bumps the version. Raises `error`, after the write, for an inference tensor outside inference
/// mode, because it has no version (CORE-14).
void note_write(const Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
