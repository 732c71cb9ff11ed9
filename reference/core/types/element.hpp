// The elements of a view: single ones by row-major index, and all of them in the computation type
// of operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "reference/core/math/launch.hpp"
#include "reference/core/runtime.hpp"
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

// All elements.

/// Raises `not_implemented` for a dtype without arithmetic.
inline void check_computes(ScalarType dtype) {
  check(carries_values(dtype), ErrorKind::kNotImplemented, [&] {
    return "the operator is not implemented for '" + std::string(cpp_name_of(dtype)) + "'";
  });
}

/// Calls `compute` with a value of the computation type of `dtype` (CORE-22): float up to float32,
/// double for float64, a wrapping 64-bit integer for integral types. Raises `not_implemented` for
/// other types.
template <typename Compute>
auto with_compute_type(ScalarType dtype, const Compute& compute) {
  check_computes(dtype);
  if (dtype == ScalarType::kDouble) return compute(double{});
  if (is_floating(dtype)) return compute(float{});
  return compute(std::uint64_t{});
}

template <typename T>
T element_as(ScalarType dtype, std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(integer_of_bits(dtype, bits));
  } else {
    return static_cast<T>(real_of_bits(dtype, bits));
  }
}

template <typename T>
std::uint64_t bits_of(ScalarType dtype, T value) {
  if constexpr (std::is_integral_v<T>) {
    return bits_of_integer(dtype, static_cast<std::int64_t>(value));
  } else {
    return bits_of_real(dtype, static_cast<double>(value));
  }
}

/// Returns the elements in row-major order; empty for meta tensors.
template <typename T>
std::vector<T> elements_of(const Tensor& tensor) {
  std::vector<T> elements;
  if (tensor.data() == nullptr) return elements;
  elements.reserve(static_cast<std::size_t>(tensor.numel()));
  const std::size_t size = element_size(tensor.dtype());
  for_each_offset(tensor.sizes(), tensor.strides(), 0, [&](std::int64_t offset) {
    const std::uint8_t* at = tensor.data() + static_cast<std::size_t>(offset) * size;
    elements.push_back(element_as<T>(tensor.dtype(), load_bits(at, size)));
  });
  return elements;
}

/// Rounds each element once, at the store (CORE-22). Does nothing for meta tensors.
template <typename T>
void store_elements(const Tensor& tensor, const std::vector<T>& elements) {
  if (tensor.data() == nullptr) return;
  const std::size_t size = element_size(tensor.dtype());
  std::size_t index = 0;
  for_each_offset(tensor.sizes(), tensor.strides(), 0, [&](std::int64_t offset) {
    std::uint8_t* at = tensor.data() + static_cast<std::size_t>(offset) * size;
    store_bits(at, size, bits_of<T>(tensor.dtype(), elements[index++]));
  });
}

/// Submits a kernel that calls `compute` like `with_compute_type`, in stream order. `compute` must
/// own what it accesses (see `borrowed`). The dtype is checked at submission.
template <typename Compute>
void launch_compute(Runtime& runtime, Device device, const char* name, ScalarType dtype,
                    Compute compute) {
  check_computes(dtype);
  launch(runtime, device, name,
         [dtype, compute = std::move(compute)] { with_compute_type(dtype, compute); });
}

/// Each operator calls this once: on a CUDA device it is one kernel launch.
inline void count_launch(Runtime& runtime, Device device) {
  if (device.is_cuda()) ++runtime.counters().launches;
}

}  // namespace assay::reference
