// The schemas of the reference's operators, as printed by each release of PyTorch.
#pragma once

#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Parsed once for each release and never freed.
const std::vector<FunctionSchema>& schemas_of(Release release);

}  // namespace assay::reference
