// The dispatch keys of a call's arguments, from their C++ types or from the schema.
#pragma once

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// For a typed call (DSP-204, DSP-206).
KeySet typed_argument_keys(const KeyLayout& layout, const CppSignature& signature,
                           const TypedArguments& arguments, Deviations deviations);

/// For a boxed call: considers the top of the stack, which must hold as many values as the schema
/// has arguments (DSP-205).
KeySet boxed_argument_keys(const KeyLayout& layout, const FunctionSchema& schema,
                           const Stack& stack);

}  // namespace assay::reference
