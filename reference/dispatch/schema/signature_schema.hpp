// Conversion between C++ signatures and schemas (DSP-313), and the wording of mismatches in each
// release.
#pragma once

#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/schema/schema.hpp"
#include "reference/dispatch/schema/signature.hpp"

namespace assay::reference {

/// Names arguments and returns `_0`, `_1`, …, without defaults or alias annotations. Raises `error`
/// for a type that schemas do not have.
FunctionSchema schema_of(const CppSignature& signature);

/// Returns a matching signature: tensors, lists and strings by const reference, written arguments
/// by reference, others by value.
CppSignature signature_for(const FunctionSchema& schema);

/// `schema_difference`, with a period after one of the reasons (1.13) or after each (later
/// releases) (DSP-314).
std::optional<std::string> worded_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred, Release release);

}  // namespace assay::reference
