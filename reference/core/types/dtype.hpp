// The element types: numbers, sizes, predicates and names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// CORE-01. Schemas store these numbers; only kUndefined's moves (see `number_of`).
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
inline constexpr int kScalarTypes = 31;  ///< kUndefined included

/// The number that a release gives it. Raises `error` for types that the release does not have.
int number_of(ScalarType type, Release release);
/// Whether the release has the type at all (1.13 stops at QUInt2x4).
bool exists_in(ScalarType type, Release release);

/// Bytes of one element (CORE-02). Raises `error` for kUndefined.
std::size_t element_size(ScalarType type);

bool is_floating(ScalarType type);
bool is_complex(ScalarType type);
bool is_quantized(ScalarType type);
bool is_integral(ScalarType type, bool include_bool);
bool is_bits(ScalarType type);
bool is_float8(ScalarType type);
/// UInt16, UInt32, UInt64: the wide unsigned types of 2.x.
bool is_barebones_unsigned(ScalarType type);
/// Raises `error` for quantised types.
bool is_signed(ScalarType type);

/// `float32`
std::string_view name_of(ScalarType type);
/// `Float`, as messages of the C++ side spell it.
std::string_view cpp_name_of(ScalarType type);
/// By the name `float32`; nothing when no type has it.
std::optional<ScalarType> scalar_type_named(std::string_view name);

/// Does the reference compute with values of this type?
bool carries_values(ScalarType type);

}  // namespace assay::reference
