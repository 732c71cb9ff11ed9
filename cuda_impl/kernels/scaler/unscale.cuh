// Unscale gradients in place and raise a flag where an element is inf or NaN: many tensors in one
// launch.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/unscale_element.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

/// Vectors that a thread reads before it writes the first: what keeps the memory busy is bytes
/// under way, 64 a thread here.
inline constexpr int kVectorsInFlight = 4;
template <typename Real>
inline constexpr int kUnscaleTile = kBlock* kVectorsInFlight* Vector<Real>::kElements;

/// Blocks that every multiprocessor since compute capability 8.0 holds, where a thread has 40
/// registers: the second number of __launch_bounds__ because bytes under way are what counts.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int kBlocksAtOnce = 1024 / kBlock;
#else
inline constexpr int kBlocksAtOnce = 1536 / kBlock;
#endif

/// The elements outside of vectors, which are fewer than threads. Whether the calling thread's was
/// bad.
template <typename Real>
__device__ bool unscale_edge(Real* data, const VectorCut<int>& cut, float factor) {
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread >= cut.edges()) return false;
  const int behind = cut.vectors * Vector<Real>::kElements;
  return unscale_element(data[thread < cut.head ? thread : thread + behind], factor);
}

template <typename Real>
__device__ bool unscale_vector(Vector<Real>& vector, float factor) {
  bool is_bad = false;
  Vector<Real> result;  // whole, so that it is stored whole
#pragma unroll
  for (int lane = 0; lane < Vector<Real>::kElements; ++lane) {
    Real value = vector.at[lane];
    is_bad |= unscale_element(value, factor);
    result.at[lane] = value;
  }
  vector = result;
  return is_bad;
}

/// At most kUnscaleTile elements. Whether one of those was bad that the calling thread saw.
template <typename Real>
__device__ bool unscale_tile(Real* data, int count, float factor) {
  constexpr int kElements = Vector<Real>::kElements;
  const VectorCut<int> cut = cut_into_vectors<kElements>(data, count);
  const auto thread = static_cast<int>(threadIdx.x);
  auto* const vectors = reinterpret_cast<Vector<Real>*>(data + cut.head) + thread;

  uint4 held[kVectorsInFlight];  // words: elements would have a register each, too early
#pragma unroll
  for (int i = 0; i < kVectorsInFlight; ++i) {
    if (thread + i * kBlock >= cut.vectors) continue;
    held[i] = *reinterpret_cast<const uint4*>(vectors + i * kBlock);
  }
  bool is_bad = unscale_edge(data, cut, factor);
#pragma unroll
  for (int i = 0; i < kVectorsInFlight; ++i) {
    if (thread + i * kBlock >= cut.vectors) continue;
    Vector<Real> vector = elements_of<Real>(held[i]);
    is_bad |= unscale_vector(vector, factor);
    if (factor != 1.0f) vectors[i * kBlock] = vector;
  }
  return is_bad;
}

/// For one thread of a block that saw a bad element, or not. The flag is only ever raised, clearing
/// it is the caller's business (AMP-206); other blocks raise it at the same time (AMP-213).
__device__ inline void raise_flag_if(bool any, float* found_inf) {
  if (any) atomicExch(found_inf, 1.0f);
}

/// What one thread of each block does at its end.
struct NothingMore {
  __device__ void operator()() const {}
};

/// One pass: each element is read once and written once, whatever it holds (AMP-201, AMP-205).
template <typename Real, typename Table, typename Ending>
__global__ void __launch_bounds__(kBlock, kBlocksAtOnce)
    unscale_kernel(const __grid_constant__ Table table, UnscaleScalars scalars, Ending ending) {
  using AnyInBlock = cub::BlockReduce<int, kBlock>;
  __shared__ typename AnyInBlock::TempStorage scratch;

  const Tile<1> tile = tile_of_block<kUnscaleTile<Real>>(table);
  Real* const data = static_cast<Real*>(tile.row.data[0]) + tile.first;
  const float factor = *scalars.inv_scale;
  const bool is_bad = unscale_tile(data, tile.count, factor);

  const int any = AnyInBlock(scratch).Reduce(is_bad, [](int a, int b) { return a | b; });
  if (threadIdx.x != 0) return;
  raise_flag_if(any != 0, scalars.found_inf);
  ending();
}

}  // namespace assay::cuda
