// Bit-level conversions between floating types; see CAST-901 to CAST-908.
#pragma once

#include <bit>
#include <cstdint>

namespace assay::reference {

/// The converting unit. It affects only the bits of NaN results (CAST-905, CAST-906).
enum class Converter : std::uint8_t {
  kCpuScalar,  ///< strided elements and single values
  kCpuVector,  ///< contiguous elements
  kCuda,
};

/// The parameters of a conversion, set up once for many elements.
struct Conversion {
  Converter by = Converter::kCpuScalar;
  bool uses_f16c = false;  ///< the CPU narrows to half with F16C (2.x)
};

/// Drops the lowest `shift` (at most 24) bits, rounding to nearest even.
constexpr std::uint32_t round_off(std::uint32_t bits, std::uint32_t shift) {
  const std::uint32_t kept = bits >> shift;
  const std::uint32_t rest = bits & ((1u << shift) - 1);
  const std::uint32_t tie = 1u << (shift - 1);
  if (rest < tie) return kept;
  if (rest > tie) return kept + 1;
  return kept + (kept & 1);
}

// CAST-905
constexpr std::uint16_t half_nan(std::uint32_t float_bits, const Conversion& how) {
  if (how.by == Converter::kCuda) return 0x7fff;
  const std::uint32_t payload = how.uses_f16c ? (float_bits >> 13) & 0x1ff : 0;
  return static_cast<std::uint16_t>(((float_bits >> 16) & 0x8000) | 0x7e00 | payload);
}

/// CAST-901, CAST-902
constexpr std::uint16_t half_bits(std::uint32_t float_bits, const Conversion& how) {
  const std::uint32_t magnitude = float_bits & 0x7fffffff;
  const std::uint32_t sign = (float_bits >> 16) & 0x8000;
  if (magnitude > 0x7f800000) return half_nan(float_bits, how);

  std::uint32_t result = 0;
  if (magnitude >= 0x477ff000u) {
    result = 0x7c00;
  } else if (magnitude >= 0x38800000) {  // normal: rebias the exponent by 127 - 15
    result = round_off(magnitude - (112u << 23), 13);
  } else if (magnitude >= 0x33000000) {  // subnormal, in units of 2^-24
    const std::uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
    result = round_off(significand, 126 - (magnitude >> 23));
  }
  return static_cast<std::uint16_t>(sign | result);  // CAST-907
}

// CAST-905
constexpr std::uint16_t bfloat16_nan(const Conversion& how) {
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
  const std::uint32_t result = round_off(magnitude, 16);
  return static_cast<std::uint16_t>(sign | result);  // CAST-907
}

/// CAST-904, CAST-906
constexpr std::uint32_t float_bits_of_half(std::uint16_t bits, const Conversion& how) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1f;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0x1f && fraction != 0) {
    if (how.by == Converter::kCuda) return 0x7fffffff;
    return sign | 0x7fc00000 | (fraction << 13);
  }
  if (exponent == 0x1f) return sign | 0x7f800000;
  if (exponent != 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction == 0) return sign;
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(fraction)) - 22;  // of ten bits
  const std::uint32_t significand = (fraction << (zeros + 14)) & 0x7fffff;
  return sign | ((112 - zeros) << 23) | significand;
}

/// CAST-904, CAST-906: preserves every bit, even that of a signalling NaN.
constexpr std::uint32_t float_bits_of_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
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
inline float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(float_bits_of_bfloat16(bits));
}

}  // namespace assay::reference
