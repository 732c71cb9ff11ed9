// Where the operators of the library put their work: the current stream of the tensor's device.
#pragma once

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// From now on, until the next reset, the runtime's operators launch on CUDA devices (STR-030).
void use_streams(Runtime& runtime);

}  // namespace assay::reference
