// Converts between boxed values and values of the protocol.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <vector>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

using Stack = std::vector<c10::IValue>;

/// `type` is the schema's type, which determines the element type of a list; null if
/// unknown.
c10::IValue ivalue_from(Call& call, const Value& value, const c10::TypePtr& type = nullptr);

/// Tensors by reference if they have a name, else by value.
Value value_of(Call& call, const c10::IValue& ivalue);
/// Tensors under a temporary name, for callbacks.
Value lent_value(Call& call, const c10::IValue& ivalue);
/// The form of arguments in `ran`: tensors as their dtype, other values unchanged.
Value shown_in_ran(const c10::IValue& ivalue);

/// `None`, `Tensor`, `Int`, …
std::string kind_name(const c10::IValue& ivalue);

}  // namespace assay::libtorch
