// The name of a set's highest key if it is a per-backend functionality without a backend.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

/// Returns the functionality's name; in compat mode, PyTorch's placeholder (DSP-112).
std::string highest_name(const Contract& contract, DispatchKey highest);

}  // namespace assay::reference
