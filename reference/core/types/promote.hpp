// Which dtype a result has (CORE-03, CORE-04, CORE-05).
#pragma once

#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/dtype.hpp"

namespace assay::reference {

/// Raises `error` that names both types where they have no common one.
ScalarType promote_types(ScalarType left, ScalarType right, const Contract& contract);

bool can_cast(ScalarType from, ScalarType to);

/// One operand of an operator, as the category rule sees it.
struct TypedOperand {
  enum class Class : std::uint8_t { kScalar, kZeroDim, kDim };
  Class operand_class = Class::kDim;
  ScalarType dtype = ScalarType::kFloat;
};

/// Scalars come as Bool, Long, Double or ComplexDouble and stand for the default dtype where they
/// are floating. Raises `error` without any operand.
ScalarType result_type(const std::vector<TypedOperand>& operands, ScalarType default_dtype,
                       const Contract& contract);

/// `ComplexFloat` for `Float`; complex types are their own.
ScalarType complex_of(ScalarType real);

}  // namespace assay::reference
