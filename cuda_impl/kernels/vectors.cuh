// Several elements in one access: how kernels read and write rows of elements of any alignment.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <cstring>

namespace assay::cuda {

namespace detail {
template <int kBytes>
struct Words;
template <>
struct Words<16> {
  using Type = uint4;
};
template <>
struct Words<8> {
  using Type = uint2;
};
template <>
struct Words<4> {
  using Type = unsigned;
};
template <>
struct Words<2> {
  using Type = unsigned short;
};
template <>
struct Words<1> {
  using Type = unsigned char;
};
}  // namespace detail

/// What one access of a thread moves at most.
inline constexpr int kVectorBytes = 16;

/// Elements that lie together at a multiple of their size. One access where they are assigned as a
/// whole, through an address that is computed in vectors: nvcc does not put small ones together
/// when it has lost sight of what they have in common.
template <typename T, int kCount = kVectorBytes / sizeof(T)>
struct alignas(kCount * sizeof(T)) Vector {
  static constexpr int kElements = kCount;
  T at[kCount];
};

/// Words that hold `kCount` elements between load and use: elements would have a register each.
template <typename T, int kCount = kVectorBytes / sizeof(T)>
using WordsOf = typename detail::Words<kCount * sizeof(T)>::Type;

template <typename T, int kCount = kVectorBytes / sizeof(T)>
__device__ Vector<T, kCount> elements_of(const WordsOf<T, kCount>& words) {
  Vector<T, kCount> vector;
  std::memcpy(&vector, &words, sizeof vector);
  return vector;
}

/// A row of elements cut at the multiples of a vector's size: `head` elements before the first,
/// then whole vectors, then `tail` elements. A row that reaches none is all head.
template <typename Index>
struct VectorCut {
  Index head;
  Index vectors;
  Index tail;

  /// Elements outside of vectors.
  __host__ __device__ Index edges() const { return head + tail; }
};

/// Elements from the last multiple of a vector's size to the address.
template <int kCount, typename T>
__host__ __device__ int beyond_vector(const T* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) / sizeof(T) % kCount);
}

/// Into vectors of `kCount` elements.
template <int kCount, typename T, typename Index>
__host__ __device__ VectorCut<Index> cut_into_vectors(const T* address, Index count) {
  const Index wanted = (kCount - beyond_vector<kCount>(address)) % kCount;
  const Index head = wanted < count ? wanted : count;
  return {head, (count - head) / kCount, (count - head) % kCount};
}

}  // namespace assay::cuda
