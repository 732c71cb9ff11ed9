// The keys that a call's arguments bring: by C++ type, or by schema.
#pragma once

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Of a typed call (DSP-204, DSP-206).
KeySet typed_argument_keys(const KeyLayout& layout, const CppSignature& signature,
                           const TypedArguments& arguments, Deviations deviations);

/// Of a boxed call, from the arguments on top of the stack, which holds as many as the schema has
/// (DSP-205).
KeySet boxed_argument_keys(const KeyLayout& layout, const FunctionSchema& schema,
                           const Stack& stack);

}  // namespace assay::reference
