// Helpers for gradient tests: float32 device tensors from numbers and back.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

using Floats = std::vector<float>;

inline Tensor floats(const Floats& values, Shape sizes) {
  const Tensor made = empty(std::move(sizes), Dtype::kFloat32, cuda_device(0));
  write_elements(made, reinterpret_cast<const std::byte*>(values.data()));
  return made;
}

inline Tensor leaf(const Floats& values, Shape sizes) {
  const Tensor made = floats(values, std::move(sizes));
  made->requires_grad = true;
  return made;
}

inline Floats values_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  Floats values(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace assay::cuda
