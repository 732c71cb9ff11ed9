// Element types: numbers, sizes, predicates and names; their promotion (CORE-03, CORE-04, CORE-05).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// CORE-01. Schemas store these numbers; only that of kUndefined differs (see `number_of`).
enum class ScalarType : std::uint8_t {
  kByte = 0,
  kChar,
  kShort,
  kInt,
  kLong,
  kHalf,
  kFloat,
  kDouble,
  kComplexHalf,
  kComplexFloat,
  kComplexDouble,
  kBool,
  kQInt8,
  kQUInt8,
  kQInt32,
  kBFloat16,
  kQUInt4x2,
  kQUInt2x4,
  kBits1x8,
  kBits2x4,
  kBits4x2,
  kBits8,
  kBits16,
  kFloat8E5m2,
  kFloat8E4m3fn,
  kFloat8E5m2fnuz,
  kFloat8E4m3fnuz,
  kUInt16,
  kUInt32,
  kUInt64,
  kUndefined,
};
inline constexpr int kScalarTypes = 31;  ///< including kUndefined

/// The number in the given release. Raises `error` for a type that the release lacks.
int number_of(ScalarType type, Release release);
/// Returns whether the release has the type (1.13 ends at QUInt2x4).
bool exists_in(ScalarType type, Release release);

/// Bytes of one element (CORE-02). Raises `error` for kUndefined.
std::size_t element_size(ScalarType type);

bool is_floating(ScalarType type);
bool is_complex(ScalarType type);
bool is_quantized(ScalarType type);
bool is_integral(ScalarType type, bool include_bool);
bool is_bits(ScalarType type);
bool is_float8(ScalarType type);
/// UInt16, UInt32 and UInt64, which 2.x added with limited support.
bool is_barebones_unsigned(ScalarType type);
/// Raises `error` for quantized types.
bool is_signed(ScalarType type);

/// For example `float32`.
std::string_view name_of(ScalarType type);
/// For example `Float`, the spelling in messages of the C++ code.
std::string_view cpp_name_of(ScalarType type);
/// Parses a name such as `float32`; empty for an unknown name.
std::optional<ScalarType> scalar_type_named(std::string_view name);

/// Returns whether the reference computes with this type.
bool carries_values(ScalarType type);

// Promotion.

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
