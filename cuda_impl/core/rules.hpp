// The process-wide contract: the PyTorch release whose behaviour is reproduced.
#pragma once

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {

/// Returns the contract of the latest client. For code without a session: devices, streams, errors.
Contract rules();
void set_rules(Contract contract);

}  // namespace assay::cuda
