// Type promotion of dtypes and operands.
#pragma once

#include <span>

#include "cuda_impl/operators/operand.hpp"

namespace assay::cuda {

/// The dtype of a complex number's parts; other dtypes are returned unchanged.
Dtype part_of(Dtype dtype);

/// CORE-03. Raises `error`, naming both, if two dtypes have no common one.
Dtype promote_types(Dtype a, Dtype b);

/// CORE-04: returns whether a result of `from` may be stored in a tensor of `to`.
bool can_cast(Dtype from, Dtype to);

/// CORE-05. `scalar_default`: the dtype of floating-point numbers among the operands.
Dtype result_type(std::span<const Operand> operands, Dtype scalar_default = Dtype::kFloat32);

}  // namespace assay::cuda
