// Whole numbers of any type of PTX as wide integers, for expected values.
#pragma once

#include <cstdint>
#include <string>

#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

__extension__ using Wide = __int128;

inline std::uint32_t width_of(const std::string& type) { return 8 * bytes_of(type); }

inline std::uint64_t cut(Wide value, std::uint32_t bits) {
  const auto word = static_cast<std::uint64_t>(value);
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

/// The value of the bits of an integer type.
inline Wide number_of(std::uint64_t bits, const std::string& type) {
  const auto width = width_of(type);
  const Wide value = cut(static_cast<Wide>(bits), width);
  const bool is_negative = type[0] == 's' && (value >> (width - 1)) != 0;
  return is_negative ? value - (Wide{1} << width) : value;
}

inline Wide least(const std::string& type) {
  return type[0] == 's' ? -(Wide{1} << (width_of(type) - 1)) : Wide{0};
}
inline Wide greatest(const std::string& type) {
  return (Wide{1} << (width_of(type) - (type[0] == 's' ? 1 : 0))) - 1;
}
inline Wide clamped_to(Wide value, const std::string& type) {
  if (value < least(type)) return least(type);
  return value > greatest(type) ? greatest(type) : value;
}

/// An expected value by numbers instead of bits: operands of `type`, result truncated to `result`.
template <class Function>
Expected on_numbers(const std::string& type, const std::string& result, Function function) {
  return [=](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const Wide value = function(number_of(a, type), number_of(b, type), number_of(c, type));
    return cut(value, width_of(result));
  };
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
