// Copies without conversion and fills, in accesses of up to 16 bytes.
#include <cstring>

#include "cuda_impl/kernels/cast/cast.cuh"
#include "cuda_impl/kernels/map.cuh"

namespace assay::cuda {

using Byte = unsigned char;
/// Loads that a thread has in flight.
constexpr int kUnderWay = 4;

__device__ inline Byte byte_of(const uint4& words, int place) {
  const unsigned low = place < 4 ? words.x : words.y;
  const unsigned high = place < 12 ? words.z : words.w;
  return static_cast<Byte>((place < 8 ? low : high) >> place % 4 * 8);
}

/// Copies bytes in 16-byte accesses, aligned to the output. If `in` is null, it fills `out` with
/// the repeated pattern, which begins at multiples of 16 bytes.
__global__ void __launch_bounds__(kBlock)
    copy_row_kernel(Byte* out, const Byte* in, VectorCut<std::int64_t> cut, uint4 pattern) {
  auto* const to = reinterpret_cast<uint4*>(out + cut.head);
  const auto* const from = reinterpret_cast<const uint4*>(in + cut.head);
  const std::int64_t first = std::int64_t{blockIdx.x} * kBlock * kUnderWay + threadIdx.x;
  uint4 held[kUnderWay];
#pragma unroll
  for (int i = 0; i < kUnderWay; ++i) {
    held[i] = pattern;
    if (in != nullptr && first + i * kBlock < cut.vectors) held[i] = from[first + i * kBlock];
  }
#pragma unroll
  for (int i = 0; i < kUnderWay; ++i) {
    if (first + i * kBlock < cut.vectors) to[first + i * kBlock] = held[i];
  }
  if (blockIdx.x != 0 || threadIdx.x >= cut.edges()) return;
  const std::int64_t behind = threadIdx.x < cut.head ? 0 : cut.vectors * kVectorBytes;
  Byte* const edge = out + threadIdx.x + behind;
  *edge = in != nullptr ? in[threadIdx.x + behind]
                        : byte_of(pattern, beyond_vector<kVectorBytes>(edge));
}

template <typename Word>
struct CopyWord {
  using In = Word;
  using Out = Word;
  bool fills = false;
  Word value{};

  __device__ Word operator()(Word word, Word) const { return fills ? value : word; }
};

namespace {

/// Calls `body` with a word of the given size.
template <typename Body>
void visit_word(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(static_cast<unsigned char>(0));
    case 2:
      return body(static_cast<unsigned short>(0));
    case 4:
      return body(0u);
    case 8:
      return body(0ull);
    default:
      return body(ulonglong2{});
  }
}

void launch_row(void* out, const void* in, std::int64_t bytes, const uint4& pattern) {
  auto* const to = static_cast<Byte*>(out);
  const auto cut = cut_into_vectors<kVectorBytes>(to, bytes);
  constexpr std::int64_t kTile = kBlock * kUnderWay;
  const std::int64_t tiles = std::max<std::int64_t>(1, (cut.vectors + kTile - 1) / kTile);
  launch(copy_row_kernel, {static_cast<unsigned>(tiles)}, to, static_cast<const Byte*>(in), cut,
         pattern);
}

}  // namespace

void launch_copy(const CastTask& task) {
  const auto& [out, in, unused] = task.addresses;
  const auto bytes = static_cast<std::int64_t>(size_bytes(task.to));
  const bool in_step = beyond_vector<kVectorBytes>(static_cast<const Byte*>(in)) ==
                       beyond_vector<kVectorBytes>(static_cast<Byte*>(out));
  if (are_rows(task.geometry) && !is_single(task.geometry, 1) && in_step) {
    return launch_row(out, in, task.geometry.count * bytes, {});
  }
  visit_word(size_bytes(task.to), [&](auto word) {
    launch_strided(task.addresses, task.geometry, CopyWord<decltype(word)>{});
  });
}

void launch_fill(const FillTask& task) {
  if (are_rows(task.geometry)) {
    uint4 pattern;
    for (std::size_t at = 0; at < sizeof pattern; at += task.element_bytes) {
      std::memcpy(reinterpret_cast<Byte*>(&pattern) + at, task.element, task.element_bytes);
    }
    const auto bytes = static_cast<std::int64_t>(task.element_bytes);
    return launch_row(task.out, nullptr, task.geometry.count * bytes, pattern);
  }
  visit_word(task.element_bytes, [&](auto word) {
    std::memcpy(&word, task.element, sizeof word);
    launch_strided({.out = task.out}, task.geometry, CopyWord<decltype(word)>{true, word});
  });
}

}  // namespace assay::cuda
