// Logic, shifts and bit fields of PTX.
#pragma once

#include <algorithm>
#include <array>

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

template <class T>
requires(Integer<T> || Predicate<T>) constexpr T bit_and(T a, T b) { return static_cast<T>(a & b); }

template <class T>
requires(Integer<T> || Predicate<T>) constexpr T bit_or(T a, T b) { return static_cast<T>(a | b); }

template <class T>
requires(Integer<T> || Predicate<T>) constexpr T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }

template <Integer T>
constexpr T bit_not(T a) {
  return static_cast<T>(~a);
}
template <Predicate T>
constexpr T bit_not(T a) {
  return !a;
}

/// 1 if the value is 0, otherwise 0.
template <Integer T>
constexpr T cnot(T a) {
  return a == 0 ? T{1} : T{0};
}

/// 0 if the amount exceeds the width.
template <Integer T>
constexpr T shl(T a, Word auto amount) {
  if (amount >= kBitCount<T>) return 0;
  return static_cast<T>(static_cast<u64>(a) << amount);
}

/// If the amount exceeds the width: 0, or the sign in all bits for signed types.
template <Integer T>
constexpr T shr(T a, Word auto amount) {
  if (amount < kBitCount<T>) return static_cast<T>(a >> amount);
  return static_cast<T>(a < 0 ? -1 : 0);
}

namespace detail {

/// The words b:a, b high.
constexpr u64 joined(u32 a, u32 b) { return u64{b} << 32 | a; }

}  // namespace detail

/// The high word of b:a shifted left, by the amount's low five bits or by at most 32.
template <Word T>
constexpr T shf_l_wrap(T a, T b, T amount) {
  return static_cast<u32>((detail::joined(a, b) << (amount & 31)) >> 32);
}
template <Word T>
constexpr T shf_l_clamp(T a, T b, T amount) {
  return static_cast<u32>((detail::joined(a, b) << std::min<u32>(amount, 32)) >> 32);
}

/// The low word of b:a shifted right.
template <Word T>
constexpr T shf_r_wrap(T a, T b, T amount) {
  return static_cast<u32>(detail::joined(a, b) >> (amount & 31));
}
template <Word T>
constexpr T shf_r_clamp(T a, T b, T amount) {
  return static_cast<u32>(detail::joined(a, b) >> std::min<u32>(amount, 32));
}

template <std::unsigned_integral T>
constexpr u32 popc(T a) {
  return static_cast<u32>(std::popcount(a));
}

template <std::unsigned_integral T>
constexpr u32 clz(T a) {
  return static_cast<u32>(std::countl_zero(a));
}

template <std::unsigned_integral T>
constexpr T brev(T a) {
  T reversed = 0;
  for (u32 i = 0; i < kBitCount<T>; ++i, a >>= 1) {
    reversed = static_cast<T>(reversed << 1 | (a & 1));
  }
  return reversed;
}

/// The index of the highest bit that differs from the sign; all ones if there is none.
template <Integer T>
constexpr u32 bfind(T a) {
  const auto magnitude = static_cast<BitsOf<T>>(a < 0 ? ~a : a);
  return magnitude == 0 ? ~u32{0}
                        : kBitCount<T> - 1 - static_cast<u32>(std::countl_zero(magnitude));
}

/// The left shift that would move that bit to the top.
template <Integer T>
constexpr u32 bfind_shiftamt(T a) {
  const auto found = bfind(a);
  return found == ~u32{0} ? found : kBitCount<T> - 1 - found;
}

namespace detail {

/// A field's start or length. PTX defines only 0 to 255. Above that, a GPU uses the low eight bits
/// for 32-bit types and the full value for 64-bit types.
template <Integer T>
constexpr u64 field_number(u32 number) {
  return kBitCount<T> == 32 ? number & 0xff : number;
}

}  // namespace detail

/// `length` bits from `start`. Signed types are extended with the last bit of the field, or of the
/// value if it ends before the field.
template <Integer T>
constexpr T bfe(T a, Word auto start, Word auto length) {
  constexpr u64 kTop = kBitCount<T> - 1;
  const u64 first = detail::field_number<T>(start);
  const u64 count = detail::field_number<T>(length);
  const auto bit = [&](u64 i) { return static_cast<u32>(static_cast<BitsOf<T>>(a) >> i & 1); };
  const bool is_filled =
      std::is_signed_v<T> && count != 0 && bit(std::min(first + count - 1, kTop)) != 0;
  BitsOf<T> field = 0;
  for (u64 i = 0; i <= kTop; ++i) {
    const bool is_set = i < count && first + i <= kTop ? bit(first + i) != 0 : is_filled;
    if (is_set) field |= BitsOf<T>{1} << i;
  }
  return static_cast<T>(field);
}

/// Inserts the low `length` bits of `a` into `b` at `start`; bits that do not fit are lost.
template <std::unsigned_integral T>
constexpr T bfi(T a, T b, Word auto start, Word auto length) {
  const u64 first = detail::field_number<T>(start);
  const u64 count = detail::field_number<T>(length);
  for (u64 i = 0; i < count && first + i < kBitCount<T>; ++i) {
    const T bit = T{1} << (first + i);
    b = (a >> i & 1) != 0 ? b | bit : b & ~bit;
  }
  return b;
}

/// Selects four bytes of b:a. The top bit of a selector replicates the byte's sign instead.
template <Word T>
constexpr T prmt(T a, T b, T choices) {
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 choice = choices >> (4 * i) & 0xf;
    const auto byte = static_cast<u32>(detail::joined(a, b) >> (8 * (choice & 7)) & 0xff);
    const u32 sign = (byte & 0x80) != 0 ? 0xff : 0;
    result |= ((choice & 8) != 0 ? sign : byte) << (8 * i);
  }
  return result;
}

/// For each bit position, the entry of the truth table indexed by the bits of a, b and c.
template <Word T>
constexpr T lop3(T a, T b, T c, T table) {
  u32 result = 0;
  for (u32 i = 0; i < 32; ++i) {
    const u32 entry = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
    result |= (table >> entry & 1) << i;
  }
  return result;
}

namespace detail {

template <Integer Whole, Integer Part>
constexpr Whole packed(std::initializer_list<Part> parts) {
  Whole whole = 0;
  u32 shift = 0;
  for (const Part part : parts) {
    whole |= static_cast<Whole>(static_cast<Whole>(part) << shift);
    shift += kBitCount<Part>;
  }
  return whole;
}

}  // namespace detail

/// mov.b64 d, {a, b}: the first part is the lowest.
template <std::unsigned_integral Whole, std::unsigned_integral Part, std::same_as<Part>... More>
requires(sizeof(Whole) == (1 + sizeof...(More)) * sizeof(Part)) constexpr Whole
    pack(Part first, More... more) {
  return detail::packed<Whole, Part>({first, more...});
}

/// mov.b64 {d, e}, a.
template <std::unsigned_integral Part, std::unsigned_integral Whole>
constexpr auto unpack(Whole whole) {
  std::array<Part, sizeof(Whole) / sizeof(Part)> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = static_cast<Part>(whole >> (i * kBitCount<Part>));
  }
  return parts;
}

}  // namespace assay::cuda::on_cpu::ptx
