// f16 and bf16 arithmetic of PTX, for single values and pairs. Results are rounded once, to
// nearest; NaN is 7fff.
#pragma once

#include <cmath>

#include "cuda_impl/on_cpu/ptx/half.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

namespace detail {

/// a + b rounded to odd, so that rounding the double again to a half gives the same as rounding
/// a + b once.
inline f64 sum_to_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const f64 from_b = sum - a;
  const f64 lost = (a - (sum - from_b)) + (b - from_b);
  const auto bits = std::bit_cast<u64>(sum);
  if (lost == 0 || (bits & 1) != 0) return sum;
  return std::bit_cast<f64>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <HalfFloat T>
T rounded_half(f64 value) {
  return narrow<T, Rounding::rn>(value);
}

template <HalfFloat T>
bool is_nan(T a) {
  return std::isnan(widen(a));
}

/// Clamps to [0, 1]; NaN and -0 become +0.
template <HalfFloat T>
T saturated(T a) {
  const f32 value = widen(a);
  return value > 0 ? rounded_half<T>(std::fmin(value, 1.0F)) : T{0};
}

/// Negative values and -0 become +0; a NaN stays one.
template <HalfFloat T>
T without_negative(T a) {
  if (is_nan(a)) return T{kCanonicalHalfNanBits};
  return widen(a) > 0 ? a : T{0};
}

/// Applies the operation to both halves.
template <HalfPair T, class Operation, class... More>
T in_lanes(Operation operation, T first, More... more) {
  return pair_of<T>(operation(low_half(first), low_half(more)...),
                    operation(high_half(first), high_half(more)...));
}

}  // namespace detail

template <Rounding, HalfFloat T>
T add(T a, T b) {
  return detail::rounded_half<T>(detail::sum_to_odd(widen(a), widen(b)));
}

template <Rounding, HalfFloat T>
T sub(T a, T b) {
  return detail::rounded_half<T>(detail::sum_to_odd(widen(a), -f64{widen(b)}));
}

/// A product of two halves is exact in a double.
template <Rounding, HalfFloat T>
T mul(T a, T b) {
  return detail::rounded_half<T>(f64{widen(a)} * f64{widen(b)});
}

template <Rounding, HalfFloat T>
T fma(T a, T b, T c) {
  return detail::rounded_half<T>(detail::sum_to_odd(f64{widen(a)} * f64{widen(b)}, widen(c)));
}

template <Rounding kRounding, HalfFloat T>
T add_sat(T a, T b) {
  return detail::saturated(add<kRounding>(a, b));
}

template <Rounding kRounding, HalfFloat T>
T sub_sat(T a, T b) {
  return detail::saturated(sub<kRounding>(a, b));
}

template <Rounding kRounding, HalfFloat T>
T mul_sat(T a, T b) {
  return detail::saturated(mul<kRounding>(a, b));
}

template <Rounding kRounding, HalfFloat T>
T fma_sat(T a, T b, T c) {
  return detail::saturated(fma<kRounding>(a, b, c));
}

template <Rounding kRounding, HalfFloat T>
T fma_relu(T a, T b, T c) {
  return detail::without_negative(fma<kRounding>(a, b, c));
}

template <HalfFloat T>
T abs(T a) {
  return detail::is_nan(a) ? T{kCanonicalHalfNanBits} : T{static_cast<u16>(a.bits & 0x7fff)};
}

template <HalfFloat T>
T neg(T a) {
  return detail::is_nan(a) ? T{kCanonicalHalfNanBits} : T{static_cast<u16>(a.bits ^ 0x8000)};
}

/// -0 is less than +0; if one operand is NaN, returns the other.
template <HalfFloat T>
T min(T a, T b) {
  if (detail::is_nan(a)) return detail::is_nan(b) ? T{kCanonicalHalfNanBits} : b;
  if (detail::is_nan(b)) return a;
  if (widen(a) == widen(b)) return (a.bits & 0x8000) != 0 ? a : b;
  return widen(a) < widen(b) ? a : b;
}

template <HalfFloat T>
T max(T a, T b) {
  if (detail::is_nan(a)) return detail::is_nan(b) ? T{kCanonicalHalfNanBits} : b;
  if (detail::is_nan(b)) return a;
  if (widen(a) == widen(b)) return (a.bits & 0x8000) != 0 ? b : a;
  return widen(a) < widen(b) ? b : a;
}

/// Like min, but NaN if any operand is NaN.
template <HalfFloat T>
T min_nan(T a, T b) {
  return detail::is_nan(a) || detail::is_nan(b) ? T{kCanonicalHalfNanBits} : min(a, b);
}

template <HalfFloat T>
T max_nan(T a, T b) {
  return detail::is_nan(a) || detail::is_nan(b) ? T{kCanonicalHalfNanBits} : max(a, b);
}

template <Rounding kRounding, HalfPair T>
T add(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return add<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T sub(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return sub<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T mul(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return mul<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T fma(T a, T b, T c) {
  return detail::in_lanes([](auto x, auto y, auto z) { return fma<kRounding>(x, y, z); }, a, b, c);
}

template <Rounding kRounding, HalfPair T>
T add_sat(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return add_sat<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T sub_sat(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return sub_sat<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T mul_sat(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return mul_sat<kRounding>(x, y); }, a, b);
}

template <Rounding kRounding, HalfPair T>
T fma_sat(T a, T b, T c) {
  return detail::in_lanes([](auto x, auto y, auto z) { return fma_sat<kRounding>(x, y, z); }, a, b,
                          c);
}

template <Rounding kRounding, HalfPair T>
T fma_relu(T a, T b, T c) {
  return detail::in_lanes([](auto x, auto y, auto z) { return fma_relu<kRounding>(x, y, z); }, a, b,
                          c);
}

template <HalfPair T>
T abs(T a) {
  return detail::in_lanes([](auto x) { return abs(x); }, a);
}

template <HalfPair T>
T neg(T a) {
  return detail::in_lanes([](auto x) { return neg(x); }, a);
}

template <HalfPair T>
T min(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return min(x, y); }, a, b);
}

template <HalfPair T>
T max(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return max(x, y); }, a, b);
}

template <HalfPair T>
T min_nan(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return min_nan(x, y); }, a, b);
}

template <HalfPair T>
T max_nan(T a, T b) {
  return detail::in_lanes([](auto x, auto y) { return max_nan(x, y); }, a, b);
}

}  // namespace assay::cuda::on_cpu::ptx
