// Nested containers in the protocol, for scale().
#pragma once

#include "reference/scaler/nested.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Resolves references to tensors and lazy sequences.
Nested outputs_from(Call& call, const Value& value);

/// Sets the field `result`. Unnamed tensors inside containers are returned by value.
void set_outputs_result(Call& call, const Nested& nested);

}  // namespace assay::reference
