// Implements type promotion by rule.
#include "reference/core/types/promote.hpp"

#include <algorithm>
#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

using enum ScalarType;

/// The floating type of a complex type's parts; for integral types there is none.
ScalarType real_of(ScalarType type) {
  switch (type) {
    case kComplexHalf:
      return kHalf;
    case kComplexFloat:
      return kFloat;
    case kComplexDouble:
      return kDouble;
    default:
      return type;
  }
}

ScalarType promote_integral(ScalarType left, ScalarType right) {
  if (left == kBool) return right;
  if (right == kBool) return left;
  const bool mixes_sign = is_signed(left) != is_signed(right);
  const std::size_t size = std::max(element_size(left), element_size(right));
  if (mixes_sign && size == 1) {
    return kShort;  // CORE-03
  }
  if (element_size(left) == size && is_signed(left)) return left;
  return element_size(right) == size ? right : left;
}

ScalarType promote_floating(ScalarType left, ScalarType right) {
  if (!is_floating(left)) return right;
  if (!is_floating(right)) return left;
  if (left == right) return left;
  if (element_size(left) == element_size(right)) {
    return kFloat;  // CORE-03: Half with BFloat16
  }
  return element_size(left) > element_size(right) ? left : right;
}

ScalarType promote_values(ScalarType left, ScalarType right) {
  if (is_complex(left) || is_complex(right)) {
    return complex_of(promote_floating(real_of(left), real_of(right)));
  }
  if (is_floating(left) || is_floating(right)) return promote_floating(left, right);
  return promote_integral(left, right);
}

[[noreturn]] void refuse(ScalarType left, ScalarType right) {
  throw Error("promotion of " + std::string(cpp_name_of(left)) + " and " +
              std::string(cpp_name_of(right)) + " is not supported");
}

/// For the types that 1.13 lacks.
ScalarType promote_unsigned(ScalarType left, ScalarType right) {
  if (is_floating(left)) return left;
  if (is_floating(right)) return right;
  refuse(left, right);
}

ScalarType promote_defined(ScalarType left, ScalarType right, const Contract& contract) {
  return left == kUndefined || right == kUndefined ? (left == kUndefined ? right : left)
                                                   : promote_types(left, right, contract);
}

/// Since 2.14 the complex type of bfloat16 has its own parts; no arithmetic exists for it
/// (CORE-05).
ScalarType complex_in_class(ScalarType real, const Contract& contract) {
  check(real != kBFloat16 || contract.before(Release::k2_14), ErrorKind::kNotImplemented,
        [] { return "no operator is implemented for BComplex32, bfloat16 with a complex number"; });
  return complex_of(real);
}

/// `lower` matters only if its category is higher (CORE-05).
ScalarType combine(ScalarType higher, ScalarType lower, const Contract& contract) {
  if (is_complex(higher)) return higher;
  if (is_floating(higher)) return is_complex(lower) ? complex_in_class(higher, contract) : higher;
  if (higher == kBool || is_floating(lower) || is_complex(lower)) {
    return promote_defined(higher, lower, contract);
  }
  return higher == kUndefined ? lower : higher;
}

ScalarType dtype_of_scalar(ScalarType type, ScalarType default_dtype, const Contract& contract) {
  if (is_complex(type)) return complex_in_class(default_dtype, contract);
  if (is_floating(type)) return default_dtype;
  return type;
}

}  // namespace

ScalarType complex_of(ScalarType real) {
  switch (real) {
    case kHalf:
      return kComplexHalf;
    case kDouble:
      return kComplexDouble;
    case kBFloat16:
    case kFloat:
      return kComplexFloat;
    default:
      return real;
  }
}

ScalarType promote_types(ScalarType left, ScalarType right, const Contract& contract) {
  for (const ScalarType type : {left, right}) {
    check(exists_in(type, contract.release),
          [&] { return "this release has no type " + std::string(cpp_name_of(type)); });
  }
  if (left == kUndefined || right == kUndefined) return kUndefined;
  if (left == right) return left;
  if (is_quantized(left) || is_quantized(right)) {
    refuse(left, right);
  }
  if (is_bits(left) || is_bits(right)) return kUndefined;
  if (is_float8(left) || is_float8(right)) refuse(left, right);
  if (is_barebones_unsigned(left) || is_barebones_unsigned(right)) {
    return promote_unsigned(left, right);
  }
  return promote_values(left, right);
}

bool can_cast(ScalarType from, ScalarType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to, true)) return false;
  return from == kBool || to != kBool;
}

ScalarType result_type(const std::vector<TypedOperand>& operands, ScalarType default_dtype,
                       const Contract& contract) {
  using Class = TypedOperand::Class;
  ScalarType folded[3] = {kUndefined, kUndefined, kUndefined};
  for (const TypedOperand& operand : operands) {
    const bool is_scalar = operand.operand_class == Class::kScalar;
    const ScalarType dtype =
        is_scalar ? dtype_of_scalar(operand.dtype, default_dtype, contract) : operand.dtype;
    ScalarType& fold = folded[static_cast<std::size_t>(operand.operand_class)];
    fold = promote_defined(fold, dtype, contract);
  }
  check(!operands.empty(), [] { return "a result type needs at least one operand"; });
  return combine(folded[2], combine(folded[1], folded[0], contract), contract);
}

}  // namespace assay::reference
