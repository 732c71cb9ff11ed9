// Helpers for unit tests: tensors from values and back.
#pragma once

#include <cstring>
#include <vector>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/element.cuh"

namespace assay::cuda::sample {

inline const Device kGpu = cuda_device(0);

template <typename T>
constexpr Dtype dtype_of() {
  if (std::is_same_v<T, double>) return Dtype::kFloat64;
  if (std::is_same_v<T, float>) return Dtype::kFloat32;
  if (std::is_same_v<T, Half>) return Dtype::kFloat16;
  if (std::is_same_v<T, BFloat16>) return Dtype::kBFloat16;
  if (std::is_same_v<T, std::int64_t>) return Dtype::kInt64;
  if (std::is_same_v<T, std::int32_t>) return Dtype::kInt32;
  if (std::is_same_v<T, std::int16_t>) return Dtype::kInt16;
  if (std::is_same_v<T, std::int8_t>) return Dtype::kInt8;
  return std::is_same_v<T, std::uint8_t> ? Dtype::kUInt8 : Dtype::kBool;
}

/// Returns a contiguous tensor.
template <typename T>
Tensor tensor_of(const std::vector<T>& values, Shape sizes, Device device = kGpu) {
  const Tensor tensor = empty(std::move(sizes), dtype_of<T>(), device);
  write_elements(tensor, reinterpret_cast<const std::byte*>(values.data()));
  return tensor;
}
template <typename T>
Tensor tensor_of(const std::vector<T>& values, Device device = kGpu) {
  return tensor_of(values, {static_cast<std::int64_t>(values.size())}, device);
}

/// Returns the elements in row-major order.
template <typename T>
std::vector<T> values_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

/// Pseudo-random small numbers of both signs that every signed type can represent.
template <typename T>
std::vector<T> numbers(std::size_t count, unsigned seed = 1) {
  std::vector<T> values;
  std::uint32_t state = seed * 2654435761u + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const auto whole = static_cast<std::int64_t>(state >> 26) - (std::is_unsigned_v<T> ? 0 : 32);
    values.push_back(convert<T>(whole));
  }
  return values;
}

}  // namespace assay::cuda::sample
