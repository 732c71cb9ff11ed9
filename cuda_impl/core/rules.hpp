// What the whole process goes by: which PyTorch the runtime is like.
#pragma once

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {

/// Of the client that was heard last. For what has no session at hand: devices, streams, errors.
Contract rules();
void set_rules(Contract contract);

}  // namespace assay::cuda
