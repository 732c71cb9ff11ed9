// Rounds by shifting significands: every float is an integer times a power of two.
#include "suites/formats/formats.hpp"

#include <bit>

#include "harness/protocol/recipe.hpp"

namespace assay::suites {
namespace {

/// `value` without its lowest `count` bits, rounded to nearest, ties to even.
std::uint64_t shifted_to_even(std::uint64_t value, int count) {
  if (count <= 0) return value << -count;
  if (count > 63) return 0;
  const std::uint64_t kept = value >> count;
  const std::uint64_t rest = value & ((1ull << count) - 1);
  const std::uint64_t half = 1ull << (count - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

/// Rounds the finite number 1.f * 2^(exponent - bias) of a wider format to a narrower one.
struct Narrowing {
  int wide_fraction;
  int wide_bias;
  int narrow_fraction;
  int narrow_bias;
};

std::uint64_t narrowed(const Narrowing& formats, std::uint64_t magnitude) {
  const auto exponent = static_cast<int>(magnitude >> formats.wide_fraction);
  const std::uint64_t fraction = magnitude & ((1ull << formats.wide_fraction) - 1);
  const std::uint64_t hidden = exponent == 0 ? 0 : 1ull << formats.wide_fraction;
  const int wide_exponent = exponent == 0 ? 1 : exponent;
  // The biased exponent in the narrow format; below 1, the number is subnormal and loses more bits.
  const int narrow_exponent = wide_exponent - formats.wide_bias + formats.narrow_bias;
  const int below = narrow_exponent < 1 ? 1 - narrow_exponent : 0;
  const int drop = formats.wide_fraction - formats.narrow_fraction + below;
  const std::uint64_t units = shifted_to_even(fraction | hidden, drop);
  const auto exponent_field = static_cast<std::uint64_t>(below > 0 ? 0 : narrow_exponent - 1);
  // The hidden bit and a carry increment the exponent; beyond the maximum, the result is inf.
  return (exponent_field << formats.narrow_fraction) + units;
}

}  // namespace

std::uint16_t half_of(std::uint32_t float_bits) {
  const auto sign = static_cast<std::uint16_t>(float_bits >> 16 & 0x8000);
  const std::uint32_t magnitude = float_bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7e00;
  if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);
  const std::uint64_t rounded = narrowed({23, 127, 10, 15}, magnitude);
  return static_cast<std::uint16_t>(sign | rounded);
}

std::uint16_t bfloat16_of(std::uint32_t float_bits) {
  if ((float_bits & 0x7fffffff) > 0x7f800000) return 0x7fc0;
  return static_cast<std::uint16_t>(shifted_to_even(float_bits, 16));
}

std::uint32_t float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t magnitude = bits & 0x7fff;
  if (magnitude > 0x7c00) return sign | 0x7fc00000 | (magnitude & 0x3ff) << 13;
  if (magnitude == 0x7c00) return sign | 0x7f800000;
  if (magnitude >= 0x0400) return sign | ((magnitude << 13) + ((127u - 15u) << 23));
  if (magnitude == 0) return sign;
  // A subnormal, magnitude * 2^-24, is normalized.
  const int leading = 31 - std::countl_zero(magnitude);
  const std::uint32_t fraction = (magnitude << (23 - leading)) & 0x7fffff;
  return sign | static_cast<std::uint32_t>(leading - 24 + 127) << 23 | fraction;
}

std::uint32_t float_of_bfloat16(std::uint16_t bits) {
  return static_cast<std::uint32_t>(bits) << 16;
}

std::uint32_t float_of_double(std::uint64_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits >> 32 & 0x80000000);
  const std::uint64_t magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000) return 0x7fc00000;
  // From 2^128 - 2^103, the tie above the largest float.
  if (magnitude >= 0x47effffff0000000) return sign | 0x7f800000;
  return sign | static_cast<std::uint32_t>(narrowed({52, 1023, 23, 127}, magnitude));
}

std::uint64_t converted_bits(Dtype from, Dtype to, std::uint64_t bits) {
  if (from == to) return canonical_bits(to, bits);
  std::uint32_t single = static_cast<std::uint32_t>(bits);
  if (from == Dtype::kFloat16) single = float_of_half(static_cast<std::uint16_t>(bits));
  if (from == Dtype::kBfloat16) single = float_of_bfloat16(static_cast<std::uint16_t>(bits));
  if (from == Dtype::kFloat64) single = float_of_double(bits);
  if (to == Dtype::kFloat16) return half_of(single);
  if (to == Dtype::kBfloat16) return bfloat16_of(single);
  return canonical_bits(Dtype::kFloat32, single);
}

bool is_nan_bits(Dtype dtype, std::uint64_t bits) {
  switch (dtype) {
    case Dtype::kFloat16:
      return (bits & 0x7fff) > 0x7c00;
    case Dtype::kBfloat16:
      return (bits & 0x7fff) > 0x7f80;
    case Dtype::kFloat32:
      return (bits & 0x7fffffff) > 0x7f800000;
    default:
      return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  }
}

}  // namespace assay::suites
