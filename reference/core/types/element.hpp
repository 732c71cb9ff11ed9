// Single elements of a view, by row-major index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Loads an element as a little-endian number. `size` is 1, 2, 4 or 8.
inline std::uint64_t load_bits(const std::uint8_t* at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  return bits;
}
inline void store_bits(std::uint8_t* at, std::size_t size, std::uint64_t bits) {
  std::memcpy(at, &bits, size);
}

/// Converts the bits to double; exact for floating types, and for integers up to 2^53.
double real_of_bits(ScalarType dtype, std::uint64_t bits);
/// Rounds the value to `dtype`: half types through float32 (CAST-908), integers towards zero; every
/// value but 0 becomes true.
std::uint64_t bits_of_real(ScalarType dtype, double value);
/// Truncates floating values.
std::int64_t integer_of_bits(ScalarType dtype, std::uint64_t bits);
/// Integers keep their low bits. Floating types round once, from the exact integer; half types
/// through float32.
std::uint64_t bits_of_integer(ScalarType dtype, std::int64_t value);

/// The element must exist: no meta tensor, `index` in range. Writes do not bump the version; the
/// operation does so once.
std::uint64_t bits_at(const Tensor& tensor, std::int64_t index);
void set_bits_at(const Tensor& tensor, std::int64_t index, std::uint64_t bits);
double real_at(const Tensor& tensor, std::int64_t index);
void set_real_at(const Tensor& tensor, std::int64_t index, double value);
std::int64_t integer_at(const Tensor& tensor, std::int64_t index);
void set_integer_at(const Tensor& tensor, std::int64_t index, std::int64_t value);

}  // namespace assay::reference
