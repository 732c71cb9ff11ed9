// f16 and bf16 to float and back, exactly and with every rounding.
#pragma once

#include <algorithm>
#include <cmath>

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

inline constexpr u32 kCanonicalNanBits = 0x7fffffff;  ///< the result of f32 arithmetic
inline constexpr u16 kCanonicalHalfNanBits = 0x7fff;

/// The layout of a half type.
template <HalfFloat T>
struct HalfFormat;
template <>
struct HalfFormat<f16> {
  static constexpr int kMantissaBits = 10;
  static constexpr int kMaxExponent = 15;
};
template <>
struct HalfFormat<bf16> {
  static constexpr int kMantissaBits = 7;
  static constexpr int kMaxExponent = 127;
};

/// Exact. A NaN becomes the canonical one.
constexpr f32 widen(f16 value) {
  const u32 sign = (value.bits & 0x8000U) << 16;
  const u32 rest = value.bits & 0x7fffU;
  if (rest > 0x7c00) return std::bit_cast<f32>(kCanonicalNanBits);
  if (rest == 0x7c00) return std::bit_cast<f32>(sign | 0x7f800000);
  if (rest >= 0x0400) return std::bit_cast<f32>(sign | ((rest << 13) + 0x38000000));
  const f32 magnitude = static_cast<f32>(rest) * 0x1p-24F;
  return std::bit_cast<f32>(sign | std::bit_cast<u32>(magnitude));
}

/// Exact: bf16 is the upper half of f32. A NaN keeps its bits.
constexpr f32 widen(bf16 value) { return std::bit_cast<f32>(u32{value.bits} << 16); }

namespace detail {

/// Whether a magnitude is rounded up; `rest` is the part cut off, `half` half a unit of the result.
template <Rounding kRounding>
constexpr bool rounds_up(u64 kept, u64 rest, u64 half, bool is_negative) {
  if constexpr (kRounding == Rounding::rn) return rest > half || (rest == half && (kept & 1) != 0);
  if constexpr (kRounding == Rounding::rz) return false;
  if constexpr (kRounding == Rounding::rm) return is_negative && rest != 0;
  if constexpr (kRounding == Rounding::rp) return !is_negative && rest != 0;
}

/// The magnitude's bits, without sign. `value` is finite and positive.
template <HalfFloat T, Rounding kRounding>
constexpr u64 narrowed_magnitude(f64 value, bool is_negative) {
  using Format = HalfFormat<T>;
  constexpr int kMantissaBits = Format::kMantissaBits;
  constexpr int kMinExponent = 1 - Format::kMaxExponent;
  constexpr u64 kInfinity = u64{2 * Format::kMaxExponent + 1} << kMantissaBits;
  const auto bits = std::bit_cast<u64>(value);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent > Format::kMaxExponent) {
    // rn overflows to infinity from halfway between the largest value and its would-be successor
    // upwards.
    return kInfinity - (rounds_up<kRounding>(1, 3, 2, is_negative) ? 0 : 1);
  }
  // A double below the normal range is far below every half; its leading bit does not matter.
  const u64 significand = (bits & ((u64{1} << 52) - 1)) | u64{1} << 52;
  const int shift = std::min(52 - kMantissaBits + std::max(kMinExponent - exponent, 0), 62);
  const u64 kept = significand >> shift;
  const u64 rest = significand & ((u64{1} << shift) - 1);
  const u64 rounded =
      kept + (rounds_up<kRounding>(kept, rest, u64{1} << (shift - 1), is_negative) ? 1 : 0);
  // The leading bit of a normal number adds one to the exponent field, like a carry.
  return (static_cast<u64>(std::max(exponent, kMinExponent) - kMinExponent) << kMantissaBits) +
         rounded;
}

}  // namespace detail

/// Rounded once. A NaN becomes the canonical one.
template <HalfFloat T, Rounding kRounding>
constexpr T narrow(f64 value) {
  const auto bits = std::bit_cast<u64>(value);
  const auto sign = static_cast<u16>(bits >> 48 & 0x8000);
  const u64 magnitude = bits & ~(u64{1} << 63);
  constexpr u64 kInfinity = u64{0x7ff} << 52;
  constexpr u16 kHalfInfinity = (2 * HalfFormat<T>::kMaxExponent + 1)
                                << HalfFormat<T>::kMantissaBits;
  if (magnitude > kInfinity) return T{kCanonicalHalfNanBits};
  if (magnitude == kInfinity) return T{static_cast<u16>(sign | kHalfInfinity)};
  if (magnitude == 0) return T{sign};
  const u64 rounded =
      detail::narrowed_magnitude<T, kRounding>(std::bit_cast<f64>(magnitude), sign != 0);
  return T{static_cast<u16>(sign | rounded)};
}

template <HalfPair T>
using HalfOf = std::conditional_t<std::same_as<T, f16x2>, f16, bf16>;

template <HalfPair T>
constexpr HalfOf<T> low_half(T pair) {
  return {static_cast<u16>(pair.bits)};
}

template <HalfPair T>
constexpr HalfOf<T> high_half(T pair) {
  return {static_cast<u16>(pair.bits >> 16)};
}

template <HalfPair T>
constexpr T pair_of(HalfOf<T> low_part, HalfOf<T> high_part) {
  return T{u32{high_part.bits} << 16 | low_part.bits};
}

}  // namespace assay::cuda::on_cpu::ptx
