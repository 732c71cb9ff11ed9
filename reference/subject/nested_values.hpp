// Containers across the waist: what scale() takes, and what it gives back.
#pragma once

#include "reference/scaler/nested.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// References become the tensors and lazy sequences that they name.
Nested to_nested(Call& call, const Value& value);

/// The `result` of the command. Tensors inside containers come by value unless they have names.
void set_nested_result(Call& call, const Nested& nested);

}  // namespace assay::reference
