// What a set's highest key is called where its functionality is a backend's and no backend is in.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

/// The functionality's own name; in compat mode PyTorch's placeholder (DSP-112).
std::string highest_name(const Contract& contract, DispatchKey highest);

}  // namespace assay::reference
