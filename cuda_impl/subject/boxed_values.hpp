// Boxed values and values of the waist, one made of the other.
#pragma once

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// A reference to a box shares what is in it.
Boxed boxed_from(Call& call, const Value& value);
/// Tensors by name, or by value where they have none.
Value value_of(Call& call, const Boxed& boxed);
/// Tensors by name, a borrowed one if need be: for arguments of callbacks.
Value lent_value(Call& call, const Boxed& boxed);

}  // namespace assay::cuda
