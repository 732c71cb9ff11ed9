// Element types: names, sizes and properties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {

/// CORE-01. The numbers are those of 2.11.
enum class Dtype : std::uint8_t {
  kUInt8,
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

/// The properties of a type, stored in a table so that every query is one load.
struct DtypeFacts {
  std::string_view name;      ///< `float32`
  std::string_view cpp_name;  ///< `Float`
  std::uint8_t size_bytes;    ///< 0 for kUndefined
  bool is_floating;
  bool is_complex;
  bool is_integral;  ///< false for bool
  bool is_quantized;
  bool is_signed;
};
namespace detail {
extern const std::array<DtypeFacts, static_cast<std::size_t>(Dtype::kUndefined) + 1> kFacts;
}  // namespace detail
inline const DtypeFacts& facts(Dtype dtype) {
  return detail::kFacts[static_cast<std::size_t>(dtype)];
}

std::optional<Dtype> dtype_named(std::string_view name);
bool exists_in(Dtype dtype, Release release);
/// Returns the number used in schemas (CORE-01). Undefined comes after all types of the release.
std::int64_t number_of(Dtype dtype, Release release);
/// Returns whether this runtime has kernels that compute with the type.
bool has_kernels(Dtype dtype);

inline bool is_half(Dtype dtype) { return dtype == Dtype::kFloat16 || dtype == Dtype::kBFloat16; }
inline std::size_t size_bytes(Dtype dtype) { return facts(dtype).size_bytes; }

}  // namespace assay::cuda
