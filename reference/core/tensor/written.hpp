// Called at the end of every in-place write.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Raises `error` for an inference tensor outside inference mode, because it has no version
/// (CORE-14). The write has happened.
void check_written(const Runtime& runtime, const Tensor& tensor);

/// Bumps the version, and checks so.
void note_write(const Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
