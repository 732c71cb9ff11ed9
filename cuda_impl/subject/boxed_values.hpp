// Conversions between boxed values and protocol values.
#pragma once

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// A reference to a boxed value shares its content.
Boxed boxed_from(Call& call, const Value& value);
/// Tensors become references if they have a name, otherwise values.
Value value_of(Call& call, const Boxed& boxed);
/// For callback arguments: tensors become references, lent ones if they have no name.
Value lent_value(Call& call, const Boxed& boxed);

}  // namespace assay::cuda
