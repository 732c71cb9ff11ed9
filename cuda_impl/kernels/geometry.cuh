// The memory layout of several tensors that a kernel walks in one common order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

inline constexpr int kMostDims = 25;

/// Sizes (outermost first) and, for each of `kTensors` tensors, strides in elements.
template <std::size_t kTensors>
struct Geometry {
  int dims = 0;
  std::int64_t count = 1;
  std::int64_t sizes[kMostDims] = {};
  std::int64_t strides[kTensors][kMostDims] = {};
};

/// Data pointers of an output and its inputs; null for an unused input. The members are in the
/// order of the tensors in `Geometry`.
struct Addresses {
  void* out = nullptr;
  const void* left = nullptr;
  const void* right = nullptr;
};

template <std::size_t kTensors>
struct Offsets {
  std::int64_t of[kTensors] = {};
};

/// Returns whether all positions of tensor `i` refer to the same element.
template <std::size_t kTensors>
bool is_single(const Geometry<kTensors>& geometry, std::size_t i) {
  return geometry.dims == 1 && geometry.strides[i][0] == 0;
}

/// Is the output contiguous, and each input contiguous or a repeated element?
template <std::size_t kTensors>
bool are_rows(const Geometry<kTensors>& geometry) {
  if (geometry.dims == 0) return true;
  if (geometry.dims > 1 || geometry.strides[0][0] != 1) return false;
  for (std::size_t i = 1; i < kTensors; ++i) {
    if (geometry.strides[i][0] != 1 && geometry.strides[i][0] != 0) return false;
  }
  return true;
}

template <typename Index, std::size_t kTensors>
__host__ __device__ Offsets<kTensors> offsets_of(const Geometry<kTensors>& geometry, Index rest) {
  Offsets<kTensors> offsets;
  for (int dim = geometry.dims - 1; dim > 0; --dim) {
    const auto size = static_cast<Index>(geometry.sizes[dim]);
    const Index above = rest / size;
    const auto position = static_cast<std::int64_t>(rest - above * size);
    for (std::size_t i = 0; i < kTensors; ++i) offsets.of[i] += position * geometry.strides[i][dim];
    rest = above;
  }
  const auto position = static_cast<std::int64_t>(rest);
  for (std::size_t i = 0; i < kTensors; ++i) offsets.of[i] += position * geometry.strides[i][0];
  return offsets;
}

/// Returns the offsets of element `index`. 64-bit division is several times slower than 32-bit.
template <std::size_t kTensors>
__host__ __device__ Offsets<kTensors> offsets_at(const Geometry<kTensors>& geometry,
                                                 std::int64_t index) {
  if (geometry.count <= INT64_C(0xffffffff)) {
    return offsets_of(geometry, static_cast<std::uint32_t>(index));
  }
  return offsets_of(geometry, static_cast<std::uint64_t>(index));
}

}  // namespace assay::cuda
