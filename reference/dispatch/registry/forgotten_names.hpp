// Names that PyTorch prints but does not read.
#pragma once

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

/// Real keys whose names its parser lacks (DSP-116).
bool is_forgotten(DispatchKey key, Release release);

}  // namespace assay::reference
