// The schema that a C++ function type stands for (DSP-313).
#pragma once

#include "reference/dispatch/schema/schema.hpp"
#include "reference/dispatch/schema/signature.hpp"

namespace assay::reference {

/// Arguments and returns are named `_0`, `_1`, …; there are no defaults and no alias annotations.
/// Raises `error` for a type that cannot be in a schema.
FunctionSchema schema_of(const CppSignature& signature);

/// A signature that fits the schema: tensors, lists and texts by reference to const, what is
/// written by reference, the rest by value.
CppSignature signature_for(const FunctionSchema& schema);

}  // namespace assay::reference
