// Conversion of boxed values to and from protocol values.
#pragma once

#include "reference/core/types/ivalue.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// A reference denotes a tensor or a box, which is shared. A dtype is boxed as its number.
IValue ivalue_from(Call& call, const Value& value);
/// Named tensors are converted to references.
Value value_of(Call& call, const IValue& ivalue);
/// For callback arguments: converts every tensor to a reference that is valid during this call.
Value lent_value(Call& call, const IValue& ivalue);

}  // namespace assay::reference
