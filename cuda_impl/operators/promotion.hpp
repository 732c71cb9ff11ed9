// Which type several types, or several operands, agree on.
#pragma once

#include <span>

#include "cuda_impl/operators/operand.hpp"

namespace assay::cuda {

/// The type of a complex number's parts; others are their own.
Dtype part_of(Dtype dtype);

/// CORE-03. Raises `error` for two types that have none in common, and names both.
Dtype promote_types(Dtype a, Dtype b);

/// CORE-04: may a result of `from` be stored in a tensor of `to`?
bool can_cast(Dtype from, Dtype to);

/// CORE-05. `scalar_default` is what a float among the numbers counts as.
Dtype result_type(std::span<const Operand> operands, Dtype scalar_default = Dtype::kFloat32);

}  // namespace assay::cuda
