// Elements that are loaded and stored together, 16 bytes at a time, and the edges that are not.
#pragma once

#include <cstdint>

namespace assay::cuda {

inline constexpr int kPackBytes = 16;

template <typename T, int kCount>
struct alignas(kPackBytes) Pack {
  T items[kCount];
};

/// How a row of elements falls into packs: a head up to where the output is aligned, whole packs,
/// and a tail.
struct Packing {
  std::int64_t count = 0;
  std::int64_t head = 0;
  std::int64_t packs = 0;

  /// Elements outside of packs.
  __host__ __device__ std::int64_t edges(int per_pack) const { return count - packs * per_pack; }
  /// Where the `edge`-th of them is.
  __host__ __device__ std::int64_t edge_at(std::int64_t edge, int per_pack) const {
    return edge < head ? edge : edge + packs * per_pack;
  }
};

template <typename T>
Packing packing_of(const T* output, std::int64_t count, int per_pack) {
  const auto past = reinterpret_cast<std::uintptr_t>(output) % kPackBytes;
  const auto head = static_cast<std::int64_t>((kPackBytes - past) % kPackBytes / sizeof(T));
  Packing packing{count, head < count ? head : count, 0};
  packing.packs = (count - packing.head) / per_pack;
  return packing;
}

/// Every element has its own address where the row is not aligned.
template <int kCount, typename T>
__device__ Pack<T, kCount> load_pack(const T* from, bool is_aligned) {
  if (is_aligned) return *reinterpret_cast<const Pack<T, kCount>*>(from);
  Pack<T, kCount> pack;
#pragma unroll
  for (int i = 0; i < kCount; ++i) pack.items[i] = from[i];
  return pack;
}

template <int kCount, typename T>
__device__ void store_pack(T* to, const Pack<T, kCount>& pack) {
  *reinterpret_cast<Pack<T, kCount>*>(to) = pack;
}

inline bool is_pack_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kPackBytes == 0;
}

}  // namespace assay::cuda
