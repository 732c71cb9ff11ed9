// Dtypes, with PyTorch's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// Numbered like PyTorch's ScalarType (CORE-01). Only some have values in the protocol: see
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

/// `float32`, `bfloat16`, …; never empty.
std::string_view name_of(Dtype dtype);

/// Nothing if no dtype has this name.
std::optional<Dtype> dtype_named(std::string_view name);

/// The width of an element in the protocol; 0 for dtypes without values in it.
std::size_t bits_per_element(Dtype dtype);

bool is_floating(Dtype dtype);

}  // namespace assay
