// Vector loads and stores for contiguous elements of any alignment.
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

/// The widest access of a thread.
inline constexpr int kVectorBytes = 16;

/// Adjacent elements, aligned to their total size. To get one vector access, assign the whole
/// struct through a pointer to Vector: nvcc does not merge small accesses if it cannot prove the
/// alignment.
template <typename T, int kCount = kVectorBytes / sizeof(T)>
struct alignas(kCount * sizeof(T)) Vector {
  static constexpr int kElements = kCount;
  T at[kCount];
};

/// Raw words for `kCount` elements between load and use. Elements would take a register each.
template <typename T, int kCount = kVectorBytes / sizeof(T)>
using WordsOf = typename detail::Words<kCount * sizeof(T)>::Type;

template <typename T, int kCount = kVectorBytes / sizeof(T)>
__device__ Vector<T, kCount> elements_of(const WordsOf<T, kCount>& words) {
  Vector<T, kCount> vector;
  std::memcpy(&vector, &words, sizeof vector);
  return vector;
}

/// Splits contiguous elements at vector boundaries: `head` elements before the first boundary,
/// whole vectors, and `tail` elements. If no boundary is reached, all elements are head.
template <typename Index>
struct VectorCut {
  Index head;
  Index vectors;
  Index tail;

  /// Elements that are in no vector.
  __host__ __device__ Index edges() const { return head + tail; }
};

/// Elements between the preceding vector boundary and the address.
template <int kCount, typename T>
__host__ __device__ int beyond_vector(const T* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) / sizeof(T) % kCount);
}

/// Splits for vectors of `kCount` elements.
template <int kCount, typename T, typename Index>
__host__ __device__ VectorCut<Index> cut_into_vectors(const T* address, Index count) {
  const Index wanted = (kCount - beyond_vector<kCount>(address)) % kCount;
  const Index head = wanted < count ? wanted : count;
  return {head, (count - head) / kCount, (count - head) % kCount};
}

}  // namespace assay::cuda
