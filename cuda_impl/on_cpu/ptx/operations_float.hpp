// f32 and f64 arithmetic of PTX. Subnormals are kept. NaN results of f32 arithmetic are
// canonical; those of f64 keep the payload of the same operand as on a GPU.
#pragma once

#include <cmath>

#include "cuda_impl/on_cpu/ptx/half.hpp"
#include "cuda_impl/on_cpu/ptx/rounding.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

namespace detail {

/// The value; NaN becomes the canonical NaN.
template <std::same_as<f32>... Operands>
f32 with_nan_of(f32 value, Operands... /*operands*/) {
  return value != value ? std::bit_cast<f32>(kCanonicalNanBits) : value;
}

/// The value; NaN becomes the first NaN operand, made quiet, or if no operand is NaN, a negative
/// NaN without payload.
template <std::same_as<f64>... Operands>
f64 with_nan_of(f64 value, Operands... operands) {
  if (value == value) [[likely]]
    return value;
  constexpr u64 kQuiet = u64{1} << 51;
  u64 nan = 0xfff0000000000000;
  static_cast<void>(((operands != operands && (nan = bits_of(operands)) != 0) || ...));
  return std::bit_cast<f64>(nan | kQuiet);
}

/// Clamps to [0, 1]; NaN and -0 become +0.
template <Float T>
T saturated(T value) {
  return value > T{0} ? std::fmin(value, T{1}) : T{0};
}

}  // namespace detail

template <Rounding kRounding, Float T>
T add(T a, T b) {
  return detail::with_nan_of(detail::rounded<kRounding>([](T x, T y) { return x + y; }, a, b), b,
                             a);
}

template <Rounding kRounding, Float T>
T sub(T a, T b) {
  return detail::with_nan_of(detail::rounded<kRounding>([](T x, T y) { return x - y; }, a, b), b,
                             a);
}

template <Rounding kRounding, Float T>
T mul(T a, T b) {
  return detail::with_nan_of(detail::rounded<kRounding>([](T x, T y) { return x * y; }, a, b), b,
                             a);
}

/// a * b + c, rounded once.
template <Rounding kRounding, Float T>
T fma(T a, T b, T c) {
  return detail::with_nan_of(
      detail::rounded<kRounding>([](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c), b, c,
      a);
}

template <Rounding kRounding, Float T>
T div(T a, T b) {
  return detail::with_nan_of(detail::rounded<kRounding>([](T x, T y) { return x / y; }, a, b), a,
                             b);
}

template <Rounding kRounding, Float T>
T rcp(T a) {
  return div<kRounding>(T{1}, a);
}

template <Rounding kRounding, Float T>
T sqrt(T a) {
  return detail::with_nan_of(detail::rounded<kRounding>([](T x) { return std::sqrt(x); }, a), a);
}

template <Rounding kRounding, Float T>
T add_sat(T a, T b) {
  return detail::saturated(add<kRounding>(a, b));
}

template <Rounding kRounding, Float T>
T sub_sat(T a, T b) {
  return detail::saturated(sub<kRounding>(a, b));
}

template <Rounding kRounding, Float T>
T mul_sat(T a, T b) {
  return detail::saturated(mul<kRounding>(a, b));
}

template <Rounding kRounding, Float T>
T fma_sat(T a, T b, T c) {
  return detail::saturated(fma<kRounding>(a, b, c));
}

/// Keeps the sign of a NaN.
template <Float T>
T abs(T a) {
  return detail::with_nan_of(std::fabs(a), a);
}

template <Float T>
T neg(T a) {
  return detail::with_nan_of(-a, a);
}

/// The value of b with the sign of a; C's copysign has the opposite order.
template <Float T>
T copysign(T a, T b) {
  return std::copysign(b, a);
}

/// -0 is less than +0; if one operand is NaN, returns the other.
template <Float T>
T min(T a, T b) {
  if (std::isnan(a)) return detail::with_nan_of(b, b);
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <Float T>
T max(T a, T b) {
  if (std::isnan(a)) return detail::with_nan_of(b, b);
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

/// Like min, but NaN if any operand is NaN.
template <std::same_as<f32> T>
T min_nan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? std::bit_cast<f32>(kCanonicalNanBits) : min(a, b);
}

template <std::same_as<f32> T>
T max_nan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? std::bit_cast<f32>(kCanonicalNanBits) : max(a, b);
}

template <Float T>
bool testp_finite(T a) {
  return std::isfinite(a);
}

template <Float T>
bool testp_infinite(T a) {
  return std::isinf(a);
}

template <Float T>
bool testp_number(T a) {
  return !std::isnan(a);
}

template <Float T>
bool testp_notanumber(T a) {
  return std::isnan(a);
}

/// In PTX, zeros count as normal numbers.
template <Float T>
bool testp_normal(T a) {
  return std::isnormal(a) || a == 0;
}

template <Float T>
bool testp_subnormal(T a) {
  return std::isfinite(a) && !testp_normal(a);
}

}  // namespace assay::cuda::on_cpu::ptx
