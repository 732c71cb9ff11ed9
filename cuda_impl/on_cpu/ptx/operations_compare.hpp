// Comparison and selection of PTX.
#pragma once

#include <cmath>
#include <utility>

#include "cuda_impl/on_cpu/ptx/half.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

namespace detail {

/// Comparisons of integers. lo, ls, hi and hs are lt, le, gt and ge of unsigned
/// types.
template <Comparison kComparison, class T>
constexpr bool ordered(T a, T b) {
  using enum Comparison;
  if constexpr (kComparison == eq) return a == b;
  if constexpr (kComparison == ne) return a < b || b < a;
  if constexpr (kComparison == lt || kComparison == lo) return a < b;
  if constexpr (kComparison == le || kComparison == ls) return a <= b;
  if constexpr (kComparison == gt || kComparison == hi) return a > b;
  if constexpr (kComparison == ge || kComparison == hs) return a >= b;
}

/// A comparison with NaN is true if the name ends in u, otherwise false.
template <Comparison kComparison, Float T>
bool compare(T a, T b) {
  using enum Comparison;
  const bool has_nan = std::isnan(a) || std::isnan(b);
  if constexpr (kComparison == num) return !has_nan;
  if constexpr (kComparison == nan) return has_nan;
  if constexpr (kComparison == equ) return has_nan || a == b;
  if constexpr (kComparison == neu) return has_nan || ordered<ne>(a, b);
  if constexpr (kComparison == ltu) return has_nan || a < b;
  if constexpr (kComparison == leu) return has_nan || a <= b;
  if constexpr (kComparison == gtu) return has_nan || a > b;
  if constexpr (kComparison == geu) return has_nan || a >= b;
  if constexpr (kComparison <= ge) return ordered<kComparison>(a, b);
}

template <Comparison kComparison, HalfFloat T>
bool compare(T a, T b) {
  return compare<kComparison>(widen(a), widen(b));
}

template <Comparison kComparison, Integer T>
constexpr bool compare(T a, T b) {
  return ordered<kComparison>(a, b);
}

template <Logic kLogic>
constexpr bool combined(bool a, bool b) {
  if constexpr (kLogic == Logic::and_) return a && b;
  if constexpr (kLogic == Logic::or_) return a || b;
  if constexpr (kLogic == Logic::xor_) return a != b;
}

}  // namespace detail

template <Comparison kComparison, HasBits T>
bool setp(T a, T b) {
  return detail::compare<kComparison>(a, b);
}

template <Comparison kComparison, Logic kLogic, HasBits T>
bool setp(T a, T b, Predicate auto c) {
  return detail::combined<kLogic>(detail::compare<kComparison>(a, b), c);
}

/// setp p|q: q is the negated comparison.
template <Comparison kComparison, HasBits T>
std::pair<bool, bool> setp_both(T a, T b) {
  const bool is_true = detail::compare<kComparison>(a, b);
  return {is_true, !is_true};
}

template <Comparison kComparison, Logic kLogic, HasBits T>
std::pair<bool, bool> setp_both(T a, T b, Predicate auto c) {
  const bool is_true = detail::compare<kComparison>(a, b);
  return {detail::combined<kLogic>(is_true, c), detail::combined<kLogic>(!is_true, c)};
}

/// setp.f16x2 p|q: p compares the low halves, q the high halves.
template <Comparison kComparison, HalfPair T>
std::pair<bool, bool> setp_lanes(T a, T b) {
  return {detail::compare<kComparison>(low_half(a), low_half(b)),
          detail::compare<kComparison>(high_half(a), high_half(b))};
}

/// set: all ones or 1.0 for true.
template <Comparison kComparison, class Result, HasBits T>
Result set_if(T a, T b) {
  const bool is_true = detail::compare<kComparison>(a, b);
  if constexpr (Float<Result>) return is_true ? Result{1} : Result{0};
  if constexpr (Integer<Result>) return is_true ? static_cast<Result>(~Result{0}) : Result{0};
}

/// set of pairs: each half is all ones for true, or 1.0 if the result is a pair of floats.
template <Comparison kComparison, class Result, HalfPair T>
Result set_lanes(T a, T b) {
  const auto [in_low, in_high] = setp_lanes<kComparison>(a, b);
  u32 is_true = 0xffff;
  if constexpr (std::same_as<Result, f16x2>) is_true = 0x3c00;
  if constexpr (std::same_as<Result, bf16x2>) is_true = 0x3f80;
  return std::bit_cast<Result>((in_low ? is_true : 0) | (in_high ? is_true : 0) << 16);
}

template <HasBits T>
constexpr T selp(T a, T b, Predicate auto condition) {
  return condition ? a : b;
}

/// a if c >= 0, otherwise b. -0 counts as 0; NaN counts as negative.
template <HasBits T, class Selector>
requires(std::same_as<Selector, s32> || std::same_as<Selector, f32>) constexpr T
    slct(T a, T b, Selector c) {
  return c >= Selector{0} ? a : b;
}

}  // namespace assay::cuda::on_cpu::ptx
