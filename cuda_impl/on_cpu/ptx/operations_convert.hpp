// cvt of PTX: between integers, floats and halves, with every rounding.
#pragma once

#include <cmath>
#include <limits>

#include "cuda_impl/on_cpu/ptx/half.hpp"
#include "cuda_impl/on_cpu/ptx/operations_float.hpp"
#include "cuda_impl/on_cpu/ptx/operations_half.hpp"
#include "cuda_impl/on_cpu/ptx/rounding.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

namespace detail {

template <Rounding kRounding, Float T>
T to_whole(T value) {
  if constexpr (kRounding == Rounding::rni) return std::nearbyint(value);
  if constexpr (kRounding == Rounding::rzi) return std::trunc(value);
  if constexpr (kRounding == Rounding::rmi) return std::floor(value);
  if constexpr (kRounding == Rounding::rpi) return std::ceil(value);
}

/// Clamps a whole number or NaN to the range of To. NaN becomes 0, or only the top bit if one side
/// has 64 bits.
template <Integer To, Float From>
To clamped(From whole, bool is_from_f64) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(whole)) {
    const bool is_top_bit = is_from_f64 || sizeof(To) == 8;
    return is_top_bit ? static_cast<To>(u64{1} << (kBitCount<To> - 1)) : To{0};
  }
  const From beyond = std::ldexp(From{1}, Limits::digits);
  if (whole >= beyond) return Limits::max();
  if (whole < (std::is_signed_v<To> ? -beyond : From{0})) return Limits::min();
  return static_cast<To>(whole);
}

/// Narrows the bits of an f64 NaN: quiet, with the part of the payload that fits.
template <HalfFloat To>
constexpr To narrowed_nan(u64 bits) {
  constexpr int kMantissaBits = HalfFormat<To>::kMantissaBits;
  constexpr u64 kQuiet = u64{1} << (kMantissaBits - 1);
  const u64 sign = bits >> 48 & 0x8000;
  // All exponent bits are set in both formats, so cutting some off is correct.
  const u64 magnitude = bits >> (52 - kMantissaBits) & 0x7fff;
  return To{static_cast<u16>(sign | magnitude | kQuiet)};
}

/// Widens the bits of an f16 NaN.
constexpr f64 widened_nan(u16 bits) {
  constexpr u64 kQuietNan = u64{0xfff} << 51;
  return std::bit_cast<f64>(u64{bits & 0x8000U} << 48 | kQuietNan | u64{bits & 0x3ffU} << 42);
}

/// A double that rounds to the same half as the integer: lost bits set its last bit.
template <Integer From>
f64 to_odd(From value) {
  if constexpr (sizeof(From) < 8) {
    return static_cast<f64>(value);
  } else {
    const bool is_negative = value < 0;
    const u64 magnitude = is_negative ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value);
    const u64 low_bits = magnitude & 0xffffffff;
    const f64 sum =
        sum_to_odd(std::ldexp(static_cast<f64>(magnitude >> 32), 32), static_cast<f64>(low_bits));
    return is_negative ? -sum : sum;
  }
}

}  // namespace detail

// Between integers: truncation, or extension by the sign or zeros.
template <Integer To, Integer From>
constexpr To cvt(From value) {
  return static_cast<To>(value);
}

template <Integer To, Integer From>
constexpr To cvt_sat(From value) {
  if (std::in_range<To>(value)) return static_cast<To>(value);
  return value < 0 ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
}

// From integers.
template <Rounding kRounding, Float To, Integer From>
To cvt(From value) {
  return detail::rounded<kRounding>([](From x) { return static_cast<To>(x); }, value);
}

template <Rounding kRounding, HalfFloat To, Integer From>
To cvt(From value) {
  return narrow<To, kRounding>(detail::to_odd(value));
}

// To integers.
template <Rounding kRounding, Integer To, Float From>
To cvt(From value) {
  return detail::clamped<To>(detail::to_whole<kRounding>(value), std::same_as<From, f64>);
}

template <Rounding kRounding, Integer To, HalfFloat From>
To cvt(From value) {
  return detail::clamped<To>(detail::to_whole<kRounding>(widen(value)), false);
}

// To a wider float. A NaN of f16 becomes the canonical one of f32, but in f64 it keeps its sign and
// its payload and becomes quiet, as those of bf16 and f32 do.
template <Float To, HalfFloat From>
To cvt(From value) {
  if constexpr (std::same_as<To, f64> && std::same_as<From, f16>) {
    if (detail::is_nan(value)) return detail::widened_nan(value.bits);
  }
  return widen(value);
}

template <std::same_as<f64> To, std::same_as<f32> From>
To cvt(From value) {
  return value;
}

// To a narrower float. A NaN of f64 keeps its sign and the upper bits of its payload and becomes
// quiet, as a GPU does and the processor; one of f32 becomes the canonical one.
template <Rounding kRounding, std::same_as<f32> To, std::same_as<f64> From>
To cvt(From value) {
  return detail::rounded<kRounding>([](f64 x) { return static_cast<f32>(x); }, value);
}

template <Rounding kRounding, HalfFloat To, Float From>
To cvt(From value) {
  if constexpr (std::same_as<From, f64>) {
    if (std::isnan(value)) return detail::narrowed_nan<To>(bits_of(value));
  }
  return narrow<To, kRounding>(value);
}

// Rounding to a whole number of the same type.
template <Rounding kRounding, Float To, std::same_as<To> From>
To cvt(From value) {
  return detail::with_nan_of(detail::to_whole<kRounding>(value), value);
}

template <Rounding kRounding, HalfFloat To, std::same_as<To> From>
To cvt(From value) {
  return detail::rounded_half<To>(detail::to_whole<kRounding>(widen(value)));
}

// Saturating to [0, 1].
template <Float To, class From>
requires(std::same_as<From, f32> || std::same_as<From, f16>) To cvt_sat(From value) {
  if constexpr (std::same_as<To, From>) {
    return detail::saturated(value);
  } else {
    return detail::saturated(cvt<To>(value));
  }
}

template <Rounding kRounding, class To, Float From>
To cvt_sat(From value) {
  return detail::saturated(cvt<kRounding, To>(value));
}

template <Rounding kRounding, HalfFloat To>
To cvt_relu(f32 value) {
  return detail::without_negative(cvt<kRounding, To>(value));
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the high half.
template <Rounding kRounding, HalfPair To, std::same_as<f32> From>
To cvt_pack(From a, From b) {
  return pair_of<To>(cvt<kRounding, HalfOf<To>>(b), cvt<kRounding, HalfOf<To>>(a));
}

template <Rounding kRounding, HalfPair To, std::same_as<f32> From>
To cvt_pack_relu(From a, From b) {
  return pair_of<To>(cvt_relu<kRounding, HalfOf<To>>(b), cvt_relu<kRounding, HalfOf<To>>(a));
}

}  // namespace assay::cuda::on_cpu::ptx
