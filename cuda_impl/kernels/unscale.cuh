// Unscale gradients in place and raise a flag where an element is inf or NaN: many tensors in one
// launch.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <type_traits>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/planted.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

/// Vectors that a thread reads before it writes the first: what keeps the memory busy is bytes
/// under way, 64 a thread here.
inline constexpr int kVectorsInFlight = 4;
template <typename Real>
inline constexpr int kUnscaleTile = kBlock* kVectorsInFlight* Vector<Real>::kElements;

/// AMP-202: half types are multiplied in float, and rounded again when they are stored.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

__device__ inline bool is_finite(float value) {
  constexpr unsigned kExponent = 0x7f800000u;
  return (__float_as_uint(value) & kExponent) != kExponent;
}

/// Whether `value` was bad; unscales it unless the factor is one (AMP-204).
template <typename Real>
__device__ inline int unscale_element(Real& value, float factor) {
  const auto wide = static_cast<Wide<Real>>(value);
  if (factor != 1.0f) value = static_cast<Real>(wide * static_cast<Wide<Real>>(factor));
  // AMP-209: a double is narrowed for the test, and only for it.
  return is_finite(static_cast<float>(wide)) ? 0 : 1;
}

/// At most kUnscaleTile elements. Whether one of them was bad, for what the calling thread did.
template <typename Real>
__device__ int unscale_tile(Real* data, int count, float factor) {
  constexpr int kElements = Vector<Real>::kElements;
  const VectorCut cut = cut_into_vectors(data, count);
  const auto thread = static_cast<int>(threadIdx.x);
  Real* const body = data + cut.head;
  Real* const tail = body + cut.vectors * kElements;
  int bad = 0;
  if (thread < cut.head) bad |= unscale_element(data[thread], factor);
  if (thread < cut.tail) bad |= unscale_element(tail[thread], factor);

  Vector<Real> held[kVectorsInFlight];
#pragma unroll
  for (int i = 0; i < kVectorsInFlight; ++i) {
    const int v = i * kBlock + thread;
    if (v < cut.vectors) held[i] = load_vector(body + v * kElements);
  }
#pragma unroll
  for (int i = 0; i < kVectorsInFlight; ++i) {
    const int v = i * kBlock + thread;
    if (v >= cut.vectors) continue;
#pragma unroll
    for (Real& value : held[i].at) bad |= unscale_element(value, factor);
    if (factor != 1.0f) store_vector(body + v * kElements, held[i]);
  }
  return bad;
}

template <typename Real, typename Table>
__global__ void __launch_bounds__(kBlock)
    unscale_kernel(const __grid_constant__ Table table, const float* inv_scale, float* found_inf) {
  using AnyInBlock = cub::BlockReduce<int, kBlock>;
  __shared__ typename AnyInBlock::TempStorage scratch;
  const Chunk<1> chunk = chunk_of_block(table);
  const float factor = *inv_scale;
  int bad = 0;
  for_each_tile<kUnscaleTile<Real>>(chunk, [&](std::int64_t first, int count) {
    bad |= unscale_tile(static_cast<Real*>(chunk.row.data[0]) + first, count, factor);
  });
  const int any = AnyInBlock(scratch).Reduce(bad, [](int a, int b) { return a | b; });
  if (threadIdx.x == 0 && any != 0) atomicExch(found_inf, 1.0f);
}

}  // namespace assay::cuda
