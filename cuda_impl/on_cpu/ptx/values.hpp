// PTX values in C++: types, and registers that hold bits of any type of their size.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace assay::cuda::on_cpu::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using f32 = float;
using f64 = double;

// Halves are bits; arithmetic_half.hpp computes with them.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  u32 bits;
};
struct bf16x2 {
  u32 bits;
};

// Operations deduce the types of their operands and convert nothing: calls with different or
// unsupported types do not compile.
template <class T>
concept Predicate = std::same_as<T, bool>;
template <class T>
concept Word = std::same_as<T, u32>;
template <class T>
concept Integer = std::integral<T> && !Predicate<T>;
template <class T>
concept Float = std::same_as<T, f32> || std::same_as<T, f64>;
template <class T>
concept HalfFloat = std::same_as<T, f16> || std::same_as<T, bf16>;
template <class T>
concept HalfPair = std::same_as<T, f16x2> || std::same_as<T, bf16x2>;
template <class T>
concept HasBits = Integer<T> || Float<T> || HalfFloat<T> || HalfPair<T>;

template <std::size_t kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = u8;
};
template <>
struct UnsignedOf<2> {
  using type = u16;
};
template <>
struct UnsignedOf<4> {
  using type = u32;
};
template <>
struct UnsignedOf<8> {
  using type = u64;
};
/// The unsigned integer type of the size of T.
template <HasBits T>
using BitsOf = typename UnsignedOf<sizeof(T)>::type;

template <HasBits T>
inline constexpr u32 kBitCount = 8 * sizeof(T);

template <HasBits T>
constexpr BitsOf<T> bits_of(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

/// A register's bits as the instruction's type, which has the same size.
template <HasBits T, HasBits Register>
requires(sizeof(T) == sizeof(Register)) constexpr T get(Register source) {
  return std::bit_cast<T>(source);
}

/// The low bits of a register wider than the instruction's type.
template <Integer T, Integer Register>
requires(sizeof(T) < sizeof(Register)) constexpr T low(Register source) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(source));
}

/// Writes a register's bits.
template <HasBits Register, HasBits T>
requires(sizeof(T) == sizeof(Register)) constexpr void set(Register& target, T value) {
  target = std::bit_cast<Register>(value);
}
template <Predicate Register, Predicate T>
constexpr void set(Register& target, T value) {
  target = value;
}

/// Like `set`, but the register may be wider: signed values are sign-extended, others
/// zero-extended.
template <HasBits Register, HasBits T>
requires(sizeof(T) == sizeof(Register)) constexpr void set_wide(Register& target, T value) {
  set(target, value);
}
template <Integer Register, Integer T>
requires(sizeof(T) < sizeof(Register)) constexpr void set_wide(Register& target, T value) {
  if constexpr (std::is_signed_v<T>) {
    target = std::bit_cast<Register>(static_cast<std::make_signed_t<Register>>(value));
  } else {
    target = static_cast<Register>(value);
  }
}

/// The constant with these bits.
template <HasBits T>
constexpr T literal(u64 bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}

/// mov: the value itself.
template <class T>
requires(HasBits<T> || Predicate<T>) constexpr T copy(T value) { return value; }

enum class Rounding { rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class Comparison {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class Logic { and_, or_, xor_ };
enum class Window { generic, global, shared };
enum class Access { weak_, relaxed_, acquire_, release_, acq_rel_, volatile_ };

}  // namespace assay::cuda::on_cpu::ptx
