// Boxed values and values of the waist, one made of the other.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <vector>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

using Stack = std::vector<c10::IValue>;

/// `type` is that of the schema, which says what the elements of a list are; null where nothing
/// says it.
c10::IValue ivalue_from(Call& call, const Value& value, const c10::TypePtr& type = nullptr);

/// Tensors by reference where they have a name, by value otherwise.
Value value_of(Call& call, const c10::IValue& ivalue);
/// Tensors under a borrowed name, for callbacks.
Value lent_value(Call& call, const c10::IValue& ivalue);
/// As `ran` shows an argument: tensors by their dtype, other values as they are.
Value shown_in_ran(const c10::IValue& ivalue);

/// `None`, `Tensor`, `Int`, …
std::string kind_name(const c10::IValue& ivalue);

}  // namespace assay::libtorch
