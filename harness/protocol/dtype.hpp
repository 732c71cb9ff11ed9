// The element types of tensors, by the names that PyTorch gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// Numbered as PyTorch's ScalarType is (CORE-01). Only some carry values across the waist: see
/// `bits_per_element`.
enum class Dtype : std::uint8_t {
  kUint8 = 0,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex32,
  kComplex64,
  kComplex128,
  kBool,
  kQint8,
  kQuint8,
  kQint32,
  kBfloat16,
  kQuint4x2,
  kQuint2x4,
  kBits1x8,
  kBits2x4,
  kBits4x2,
  kBits8,
  kBits16,
  kFloat8E5m2,
  kFloat8E4m3fn,
  kFloat8E5m2fnuz,
  kFloat8E4m3fnuz,
  kUint16,
  kUint32,
  kUint64,
  kUndefined,
};

/// `float32`, `bfloat16`, … Never empty.
std::string_view name_of(Dtype dtype);

/// Nothing when no type has that name.
std::optional<Dtype> dtype_named(std::string_view name);

/// Width of one element as it crosses the waist; 0 for types whose values do not cross it.
std::size_t bits_per_element(Dtype dtype);

bool is_floating(Dtype dtype);

}  // namespace assay
