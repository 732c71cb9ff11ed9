// Conversions between the floating types, on bits: to be read beside CAST-901 to CAST-908.
#pragma once

#include <bit>
#include <cstdint>

#include "reference/core/fault.hpp"

namespace assay::reference {

/// Who converts. It matters for the bits of a NaN only (CAST-905, CAST-906).
enum class Converter : std::uint8_t {
  kCpuScalar,  ///< elements that are not contiguous, single values
  kCpuVector,  ///< contiguous elements
  kCuda,
};

/// How to convert, made once for many elements.
struct Conversion {
  Converter by = Converter::kCpuScalar;
  bool uses_f16c = false;  ///< narrowing to half, on a CPU: since 2.x

  bool ties_away = fault("cast_ties_away_from_zero");
  bool truncates = fault("cast_truncates");
  bool no_overflow = fault("cast_half_saturates");
  bool flushes_half = fault("cast_flushes_half_denormals");
  bool flushes_bfloat16 = fault("cast_flushes_bfloat16_denormals");
  bool flushes_wide = fault("cast_widening_flushes_denormals");
  bool drops_zero_sign = fault("cast_drops_sign_of_zero");
  bool early_infinity = fault("cast_half_overflows_above_largest");
  bool bfloat16_nan_to_infinity = fault("cast_bfloat16_rounds_nan_to_infinity");
  bool quiets_bfloat16 = fault("cast_bfloat16_widening_quiets_nan");
  bool same_nan_everywhere = fault("cast_one_nan_for_all_devices");
  bool skips_float = fault("cast_double_rounds_once");
};

/// `bits` without its last `shift` (at most 24), to nearest, ties to even.
constexpr std::uint32_t round_off(std::uint32_t bits, std::uint32_t shift, const Conversion& how) {
  const std::uint32_t kept = bits >> shift;
  const std::uint32_t rest = bits & ((1u << shift) - 1);
  const std::uint32_t tie = 1u << (shift - 1);
  if (how.truncates || rest < tie) return kept;
  if (rest > tie || how.ties_away) return kept + 1;
  return kept + (kept & 1);
}

// CAST-905
constexpr std::uint16_t half_nan(std::uint32_t float_bits, const Conversion& how) {
  if (how.by == Converter::kCuda && !how.same_nan_everywhere) return 0x7fff;
  const std::uint32_t payload = how.uses_f16c ? (float_bits >> 13) & 0x1ff : 0;
  return static_cast<std::uint16_t>(((float_bits >> 16) & 0x8000) | 0x7e00 | payload);
}

/// CAST-901, CAST-902
constexpr std::uint16_t half_bits(std::uint32_t float_bits, const Conversion& how) {
  const std::uint32_t magnitude = float_bits & 0x7fffffff;
  const std::uint32_t sign = (float_bits >> 16) & 0x8000;
  if (magnitude > 0x7f800000) return half_nan(float_bits, how);

  std::uint32_t result = 0;
  if (magnitude >= (how.early_infinity ? 0x477fe001u : 0x477ff000u)) {
    result = how.no_overflow ? 0x7bff : 0x7c00;
  } else if (magnitude >= 0x38800000) {  // normal: the exponent loses 127 - 15
    result = round_off(magnitude - (112u << 23), 13, how);
  } else if (magnitude >= 0x33000000 && !how.flushes_half) {  // units of 2^-24
    const std::uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
    result = round_off(significand, 126 - (magnitude >> 23), how);
  }
  if (result == 0 && how.drops_zero_sign) return 0;
  return static_cast<std::uint16_t>(sign | result);  // CAST-907
}

// CAST-905
constexpr std::uint16_t bfloat16_nan(const Conversion& how) {
  if (how.bfloat16_nan_to_infinity) return 0x7f80;
  if (how.same_nan_everywhere) return 0x7fc0;
  switch (how.by) {
    case Converter::kCuda:
      return 0x7fff;
    case Converter::kCpuVector:
      return 0xffff;
    case Converter::kCpuScalar:
      break;
  }
  return 0x7fc0;
}

/// CAST-903
constexpr std::uint16_t bfloat16_bits(std::uint32_t float_bits, const Conversion& how) {
  const std::uint32_t magnitude = float_bits & 0x7fffffff;
  const std::uint32_t sign = (float_bits >> 16) & 0x8000;
  if (magnitude > 0x7f800000) return bfloat16_nan(how);
  if (how.flushes_bfloat16 && magnitude < 0x00800000) return static_cast<std::uint16_t>(sign);
  const std::uint32_t result = round_off(magnitude, 16, how);
  if (result == 0 && how.drops_zero_sign) return 0;
  return static_cast<std::uint16_t>(sign | result);  // CAST-907
}

/// CAST-904, CAST-906
constexpr std::uint32_t float_bits_of_half(std::uint16_t bits, const Conversion& how) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1f;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0x1f && fraction != 0) {
    if (how.by == Converter::kCuda && !how.same_nan_everywhere) return 0x7fffffff;
    return sign | 0x7fc00000 | (fraction << 13);
  }
  if (exponent == 0x1f) return sign | 0x7f800000;
  if (exponent != 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction == 0 || how.flushes_wide) return sign;
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(fraction)) - 22;  // of ten bits
  const std::uint32_t significand = (fraction << (zeros + 14)) & 0x7fffff;
  return sign | ((112 - zeros) << 23) | significand;
}

/// CAST-904, CAST-906: even the signalling bit of a NaN survives.
constexpr std::uint32_t float_bits_of_bfloat16(std::uint16_t bits, const Conversion& how) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  if (how.flushes_wide && (bits & 0x7f80) == 0) return wide & 0x80000000;
  if (how.quiets_bfloat16 && (wide & 0x7fffffff) > 0x7f800000) return wide | 0x00400000;
  return wide;
}

inline std::uint16_t half_from_float(float value, const Conversion& how = {}) {
  return half_bits(std::bit_cast<std::uint32_t>(value), how);
}
inline std::uint16_t bfloat16_from_float(float value, const Conversion& how = {}) {
  return bfloat16_bits(std::bit_cast<std::uint32_t>(value), how);
}
inline float float_from_half(std::uint16_t bits, const Conversion& how = {}) {
  return std::bit_cast<float>(float_bits_of_half(bits, how));
}
inline float float_from_bfloat16(std::uint16_t bits, const Conversion& how = {}) {
  return std::bit_cast<float>(float_bits_of_bfloat16(bits, how));
}

}  // namespace assay::reference
