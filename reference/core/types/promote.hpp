// Type promotion (CORE-03, CORE-04, CORE-05).
#pragma once

#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/dtype.hpp"

namespace assay::reference {

/// Raises `error`, naming both types, if there is no common type.
ScalarType promote_types(ScalarType left, ScalarType right, const Contract& contract);

bool can_cast(ScalarType from, ScalarType to);

/// An operand's category for type promotion.
struct TypedOperand {
  enum class Class : std::uint8_t { kScalar, kZeroDim, kDim };
  Class operand_class = Class::kDim;
  ScalarType dtype = ScalarType::kFloat;
};

/// Scalars have type Bool, Long, Double or ComplexDouble; floating ones count as the default dtype.
/// Raises `error` for an empty list.
ScalarType result_type(const std::vector<TypedOperand>& operands, ScalarType default_dtype,
                       const Contract& contract);

/// For example ComplexFloat for Float. Returns complex types unchanged.
ScalarType complex_of(ScalarType real);

}  // namespace assay::reference
