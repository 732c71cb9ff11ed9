// Sixteen bytes at a time: how kernels read and write rows of elements of any alignment.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

namespace assay::cuda {

/// As many elements as one access of 16 bytes moves.
template <typename Real>
struct Vector {
  static constexpr int kElements = 16 / sizeof(Real);
  Real at[kElements];
};

/// `address` is a multiple of 16.
template <typename Real>
__device__ inline Vector<Real> load_vector(const Real* address) {
  const uint4 bits = *reinterpret_cast<const uint4*>(address);
  Vector<Real> vector;
  std::memcpy(&vector, &bits, sizeof(bits));
  return vector;
}
template <typename Real>
__device__ inline void store_vector(Real* address, const Vector<Real>& vector) {
  uint4 bits;
  std::memcpy(&bits, &vector, sizeof(bits));
  *reinterpret_cast<uint4*>(address) = bits;
}

/// A row of elements cut at the multiples of 16 bytes: `head` elements before the first, then
/// whole vectors, then `tail` elements. A row that reaches none is all head.
struct VectorCut {
  int head;
  int vectors;
  int tail;
};

template <typename Real>
__device__ inline VectorCut cut_into_vectors(const Real* address, int count) {
  constexpr int kElements = Vector<Real>::kElements;
  const auto beyond =
      static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % 16 / sizeof(Real));
  const int wanted = beyond == 0 ? 0 : kElements - beyond;
  const int head = wanted < count ? wanted : count;
  return {head, (count - head) / kElements, (count - head) % kElements};
}

}  // namespace assay::cuda
