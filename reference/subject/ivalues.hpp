// Boxed values across the waist.
#pragma once

#include "reference/core/types/ivalue.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// A reference may be to a tensor or to a box, which is then shared. A dtype is its number.
IValue ivalue_from(Call& call, const Value& value);
/// Tensors are references where they have a name.
Value value_of(Call& call, const IValue& ivalue);
/// The same for the arguments of callbacks: every tensor is a reference while this call runs.
Value lent_value(Call& call, const IValue& ivalue);

}  // namespace assay::reference
