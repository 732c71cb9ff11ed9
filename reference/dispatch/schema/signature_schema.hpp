// Conversion between C++ signatures and schemas (DSP-313).
#pragma once

#include "reference/dispatch/schema/schema.hpp"
#include "reference/dispatch/schema/signature.hpp"

namespace assay::reference {

/// Names arguments and returns `_0`, `_1`, …, without defaults or alias annotations. Raises `error`
/// for a type that schemas do not have.
FunctionSchema schema_of(const CppSignature& signature);

/// Returns a matching signature: tensors, lists and strings by const reference, written arguments
/// by reference, others by value.
CppSignature signature_for(const FunctionSchema& schema);

}  // namespace assay::reference
