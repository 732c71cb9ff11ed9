// Integer arithmetic of PTX: results wrap around.
#pragma once

#include <algorithm>
#include <limits>

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

namespace detail {

/// An unsigned type of at least 32 bits, since narrower types are promoted to int.
template <Integer T>
constexpr auto modular(T value) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<u32>(static_cast<std::make_unsigned_t<T>>(value));
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

/// The type with the same signedness and twice the width.
template <Integer T>
struct WiderThan;
template <>
struct WiderThan<u16> {
  using type = u32;
};
template <>
struct WiderThan<s16> {
  using type = s32;
};
template <>
struct WiderThan<u32> {
  using type = u64;
};
template <>
struct WiderThan<s32> {
  using type = s64;
};
template <Integer T>
using Wide = typename WiderThan<T>::type;

constexpr u64 high_product(u64 a, u64 b) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<u64>((static_cast<u128>(a) * b) >> 64);
}
constexpr s64 high_product(s64 a, s64 b) {
  __extension__ using s128 = __int128;
  return static_cast<s64>((static_cast<s128>(a) * b) >> 64);
}

}  // namespace detail

template <Integer T>
constexpr T add(T a, T b) {
  return static_cast<T>(detail::modular(a) + detail::modular(b));
}

template <Integer T>
constexpr T sub(T a, T b) {
  return static_cast<T>(detail::modular(a) - detail::modular(b));
}

template <std::same_as<s32> T>
constexpr T add_sat(T a, T b) {
  return static_cast<s32>(std::clamp<s64>(s64{a} + b, std::numeric_limits<s32>::min(),
                                          std::numeric_limits<s32>::max()));
}

template <std::same_as<s32> T>
constexpr T sub_sat(T a, T b) {
  return static_cast<s32>(std::clamp<s64>(s64{a} - b, std::numeric_limits<s32>::min(),
                                          std::numeric_limits<s32>::max()));
}

template <Integer T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(detail::modular(a) * detail::modular(b));
}

template <Integer T>
constexpr T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    return detail::high_product(a, b);
  } else {
    using Wide = detail::Wide<T>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> kBitCount<T>);
  }
}

template <Integer T>
constexpr detail::Wide<T> mul_wide(T a, T b) {
  using Wide = detail::Wide<T>;
  return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
}

template <Integer T>
constexpr T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}

template <Integer T>
constexpr T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}

template <Integer T, std::same_as<detail::Wide<T>> Sum>
constexpr Sum mad_wide(T a, T b, Sum c) {
  return add(mul_wide(a, b), c);
}

// PTX does not define division by zero; on a GPU quotient and remainder are all ones.

/// MIN / -1 wraps to MIN.
template <Integer T>
constexpr T div(T a, T b) {
  if (b == 0) return static_cast<T>(~detail::modular(T{0}));
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return sub(T{0}, a);
  }
  return static_cast<T>(a / b);
}

template <Integer T>
constexpr T rem(T a, T b) {
  if (b == 0) return static_cast<T>(~detail::modular(T{0}));
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

template <Integer T>
constexpr T neg(T a) {
  return sub(T{0}, a);
}

/// abs(MIN) is MIN.
template <Integer T>
constexpr T abs(T a) {
  return a < 0 ? neg(a) : a;
}

template <Integer T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}

template <Integer T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

/// c + |a - b|.
template <Integer T>
constexpr T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

// With the carry flag, which is 1 for a carry of a sum or a borrow of a difference.

namespace detail {

template <Integer T>
constexpr T add_carrying(T a, T b, bool carry_in, bool& carry_out) {
  const auto x = modular(a);
  const auto sum = x + modular(b);
  const auto total = sum + (carry_in ? 1U : 0U);
  carry_out = sum < x || total < sum;
  return static_cast<T>(total);
}

template <Integer T>
constexpr T sub_borrowing(T a, T b, bool borrow_in, bool& borrow_out) {
  const auto x = modular(a);
  const auto difference = x - modular(b);
  const auto total = difference - (borrow_in ? 1U : 0U);
  borrow_out = x < difference || difference < total;
  return static_cast<T>(total);
}

}  // namespace detail

template <Integer T>
constexpr T add_cc(T a, T b, bool& carry) {
  return detail::add_carrying(a, b, false, carry);
}
template <Integer T>
constexpr T addc_cc(T a, T b, bool& carry) {
  return detail::add_carrying(a, b, carry, carry);
}
template <Integer T>
constexpr T addc(T a, T b, bool carry) {
  return detail::add_carrying(a, b, carry, carry);
}
template <Integer T>
constexpr T sub_cc(T a, T b, bool& carry) {
  return detail::sub_borrowing(a, b, false, carry);
}
template <Integer T>
constexpr T subc_cc(T a, T b, bool& carry) {
  return detail::sub_borrowing(a, b, carry, carry);
}
template <Integer T>
constexpr T subc(T a, T b, bool carry) {
  return detail::sub_borrowing(a, b, carry, carry);
}
template <Integer T>
constexpr T mad_lo_cc(T a, T b, T c, bool& carry) {
  return add_cc(mul_lo(a, b), c, carry);
}
template <Integer T>
constexpr T madc_lo_cc(T a, T b, T c, bool& carry) {
  return addc_cc(mul_lo(a, b), c, carry);
}
template <Integer T>
constexpr T madc_lo(T a, T b, T c, bool carry) {
  return addc(mul_lo(a, b), c, carry);
}
template <Integer T>
constexpr T mad_hi_cc(T a, T b, T c, bool& carry) {
  return add_cc(mul_hi(a, b), c, carry);
}
template <Integer T>
constexpr T madc_hi_cc(T a, T b, T c, bool& carry) {
  return addc_cc(mul_hi(a, b), c, carry);
}
template <Integer T>
constexpr T madc_hi(T a, T b, T c, bool carry) {
  return addc(mul_hi(a, b), c, carry);
}

}  // namespace assay::cuda::on_cpu::ptx
