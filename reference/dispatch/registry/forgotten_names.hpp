// Key names that PyTorch prints but cannot parse.
#pragma once

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

/// Returns whether PyTorch's parser lacks the name of this existing key (DSP-116).
bool is_forgotten(DispatchKey key, Release release);

}  // namespace assay::reference
