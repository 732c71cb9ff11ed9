// Single elements of a view, by their number in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// The bytes of one element as a number, little-endian. `size` is 1, 2, 4 or 8.
inline std::uint64_t load_bits(const std::uint8_t* at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  return bits;
}
inline void store_bits(std::uint8_t* at, std::size_t size, std::uint64_t bits) {
  std::memcpy(at, &bits, size);
}

/// `bits` of a `dtype` as a double: exact for every floating type, and for integers up to 2^53.
double real_of_bits(ScalarType dtype, std::uint64_t bits);
/// The value rounded to `dtype`: halves through float32 (CAST-908), integers towards zero, anything
/// but 0 is true.
std::uint64_t bits_of_real(ScalarType dtype, double value);
/// Floating values are truncated.
std::int64_t integer_of_bits(ScalarType dtype, std::uint64_t bits);
/// Integers keep their low bits; floating types round once from the exact integer, halves through
/// float32.
std::uint64_t bits_of_integer(ScalarType dtype, std::int64_t value);

/// The element must be there: not on meta, and `index` in range. Writing does not bump the version;
/// an operation does that once.
std::uint64_t bits_at(const Tensor& tensor, std::int64_t index);
void set_bits_at(const Tensor& tensor, std::int64_t index, std::uint64_t bits);
double real_at(const Tensor& tensor, std::int64_t index);
void set_real_at(const Tensor& tensor, std::int64_t index, double value);
std::int64_t integer_at(const Tensor& tensor, std::int64_t index);
void set_integer_at(const Tensor& tensor, std::int64_t index, std::int64_t value);

}  // namespace assay::reference
