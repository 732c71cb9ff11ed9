// Schemas of the operators that the reference brings, as each release of PyTorch prints them.
#pragma once

#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Read once for each release; lives as long as the program.
const std::vector<FunctionSchema>& schemas_of(Release release);

}  // namespace assay::reference
