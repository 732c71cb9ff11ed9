// Submits the work of operators to the current stream of the tensor's device.
#pragma once

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Until the next reset, operators are submitted to CUDA devices (STR-030).
void use_streams(Runtime& runtime);

}  // namespace assay::reference
