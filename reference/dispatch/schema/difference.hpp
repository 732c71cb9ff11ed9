// The wording of schema mismatches in each release.
#pragma once

#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// `schema_difference`, with a period after one of the reasons (1.13) or after each (later
/// releases) (DSP-314).
std::optional<std::string> worded_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred, Release release);

}  // namespace assay::reference
