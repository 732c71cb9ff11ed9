// Why two schemas differ, as a release words it.
#pragma once

#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// `schema_difference`, with the period that 1.13 sets behind one reason and later releases behind
/// each (DSP-314).
std::optional<std::string> worded_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred, Release release);

}  // namespace assay::reference
