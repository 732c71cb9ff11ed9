// The CUDA backend.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

BackendRef make_cuda_backend(Runtime& runtime);

}  // namespace assay::reference
