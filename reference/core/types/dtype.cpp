// The table of element types and its accessors; type promotion by rule.
#include "reference/core/types/dtype.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

enum class Category : std::uint8_t {
  kIntegral,
  kFloating,
  kFloat8,
  kComplex,
  kBoolean,
  kQuantized,
  kBits,
  kNone,
};

struct Row {
  ScalarType type;
  std::string_view name;
  std::string_view cpp_name;
  std::size_t size;
  Category category;
  bool has_sign;
};

using enum ScalarType;
using enum Category;

constexpr std::array kRows{
    Row{kByte, "uint8", "Byte", 1, kIntegral, false},
    Row{kChar, "int8", "Char", 1, kIntegral, true},
    Row{kShort, "int16", "Short", 2, kIntegral, true},
    Row{kInt, "int32", "Int", 4, kIntegral, true},
    Row{kLong, "int64", "Long", 8, kIntegral, true},
    Row{kHalf, "float16", "Half", 2, kFloating, true},
    Row{kFloat, "float32", "Float", 4, kFloating, true},
    Row{kDouble, "float64", "Double", 8, kFloating, true},
    Row{kComplexHalf, "complex32", "ComplexHalf", 4, kComplex, true},
    Row{kComplexFloat, "complex64", "ComplexFloat", 8, kComplex, true},
    Row{kComplexDouble, "complex128", "ComplexDouble", 16, kComplex, true},
    Row{kBool, "bool", "Bool", 1, kBoolean, false},
    Row{kQInt8, "qint8", "QInt8", 1, kQuantized, true},
    Row{kQUInt8, "quint8", "QUInt8", 1, kQuantized, false},
    Row{kQInt32, "qint32", "QInt32", 4, kQuantized, true},
    Row{kBFloat16, "bfloat16", "BFloat16", 2, kFloating, true},
    Row{kQUInt4x2, "quint4x2", "QUInt4x2", 1, kQuantized, false},
    Row{kQUInt2x4, "quint2x4", "QUInt2x4", 1, kQuantized, false},
    Row{kBits1x8, "bits1x8", "Bits1x8", 1, kBits, false},
    Row{kBits2x4, "bits2x4", "Bits2x4", 1, kBits, false},
    Row{kBits4x2, "bits4x2", "Bits4x2", 1, kBits, false},
    Row{kBits8, "bits8", "Bits8", 1, kBits, false},
    Row{kBits16, "bits16", "Bits16", 2, kBits, false},
    Row{kFloat8E5m2, "float8_e5m2", "Float8_e5m2", 1, kFloat8, true},
    Row{kFloat8E4m3fn, "float8_e4m3fn", "Float8_e4m3fn", 1, kFloat8, true},
    Row{kFloat8E5m2fnuz, "float8_e5m2fnuz", "Float8_e5m2fnuz", 1, kFloat8, true},
    Row{kFloat8E4m3fnuz, "float8_e4m3fnuz", "Float8_e4m3fnuz", 1, kFloat8, true},
    Row{kUInt16, "uint16", "UInt16", 2, kIntegral, false},
    Row{kUInt32, "uint32", "UInt32", 4, kIntegral, false},
    Row{kUInt64, "uint64", "UInt64", 8, kIntegral, false},
    Row{kUndefined, "undefined", "Undefined", 0, kNone, false},
};
static_assert(kRows.size() == kScalarTypes);

constexpr const Row& row_of(ScalarType type) { return kRows[static_cast<std::size_t>(type)]; }

constexpr int kFirstTypeOf2x = 18;
/// 2.x goes on with sub-byte integers, 8-bit floats and, since 2.14, another complex type, which
/// have no arithmetic here.
constexpr int kUndefinedOf1_13 = 18;
constexpr int kUndefinedOf2_4 = 37;
constexpr int kUndefinedOf2_11 = 46;
constexpr int kUndefinedOf2_14 = 47;

int number_of_undefined(Release release) {
  if (release == Release::k1_13) return kUndefinedOf1_13;
  if (release == Release::k2_4) return kUndefinedOf2_4;
  return release < Release::k2_14 ? kUndefinedOf2_11 : kUndefinedOf2_14;
}

}  // namespace

int number_of(ScalarType type, Release release) {
  if (type == kUndefined) return number_of_undefined(release);
  check(exists_in(type, release),
        [&] { return "this release has no type " + std::string(name_of(type)); });
  return static_cast<int>(type);  // CORE-01
}

bool exists_in(ScalarType type, Release release) {
  return type == kUndefined || release != Release::k1_13 || static_cast<int>(type) < kFirstTypeOf2x;
}

std::size_t element_size(ScalarType type) {
  check(type != kUndefined, [] { return "element size of type Undefined is not defined"; });
  return row_of(type).size;  // CORE-02
}

bool is_floating(ScalarType type) {
  const Category category = row_of(type).category;
  return category == kFloating || category == kFloat8;
}

bool is_complex(ScalarType type) { return row_of(type).category == kComplex; }
bool is_quantized(ScalarType type) { return row_of(type).category == kQuantized; }
bool is_bits(ScalarType type) { return row_of(type).category == kBits; }
bool is_float8(ScalarType type) { return row_of(type).category == kFloat8; }

bool is_integral(ScalarType type, bool include_bool) {
  if (type == kBool) return include_bool;
  return row_of(type).category == kIntegral;
}

bool is_barebones_unsigned(ScalarType type) {
  return type == kUInt16 || type == kUInt32 || type == kUInt64;
}

bool is_signed(ScalarType type) {
  check(!is_quantized(type),
        [&] { return "the sign of quantised type " + std::string(cpp_name_of(type)); });
  check(type != ScalarType::kUndefined && !is_bits(type),
        [&] { return "the sign of " + std::string(cpp_name_of(type)); });
  return row_of(type).has_sign;
}

std::string_view name_of(ScalarType type) { return row_of(type).name; }
std::string_view cpp_name_of(ScalarType type) { return row_of(type).cpp_name; }

std::optional<ScalarType> scalar_type_named(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

bool carries_values(ScalarType type) {
  switch (row_of(type).category) {
    case kFloating:
    case kBoolean:
      return true;
    case kIntegral:
      return !is_barebones_unsigned(type);
    default:
      return false;
  }
}

// Promotion.

namespace {

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
