// Unscales many gradients in place in one launch,
// and raises found_inf if an element is inf or NaN.
#pragma once

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/unscale_element.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

/// Vectors that a thread loads before its first store. Bytes in flight keep the memory busy: 48 in
/// each of 2048 threads on an H100 or H200. With four vectors, lists of small tensors take 1.4
/// times as long; with two, tensors of 4 Mi elements take 1.3 times as long.
inline constexpr int kVectorsInFlight = 3;
template <typename Real>
inline constexpr int kUnscaleTile = kBlock* kVectorsInFlight* Vector<Real>::kElements;

/// Blocks that fill a multiprocessor: the second argument of __launch_bounds__, which limits the
/// registers so that all threads fit.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ % 100 == 0
inline constexpr int kBlocksAtOnce = 2048 / kBlock;  // data centre GPUs: 7.0, 8.0, 9.0, 10.0
#elif __CUDA_ARCH__ < 800
inline constexpr int kBlocksAtOnce = 1024 / kBlock;
#else
inline constexpr int kBlocksAtOnce = 1536 / kBlock;
#endif

/// Unscales the elements in front of and behind the vectors; there are fewer of them than threads.
/// Returns whether the calling thread's element was inf or NaN.
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
  Vector<Real> result;  // a local copy, so that the compiler emits one vector store
#pragma unroll
  for (int lane = 0; lane < Vector<Real>::kElements; ++lane) {
    Real value = vector.at[lane];
    is_bad |= unscale_element(value, factor);
    result.at[lane] = value;
  }
  vector = result;
  return is_bad;
}

/// Unscales at most kUnscaleTile elements. Returns whether the calling thread saw inf or NaN.
template <typename Real>
__device__ bool unscale_tile(Real* data, int count, float factor) {
  constexpr int kElements = Vector<Real>::kElements;
  const VectorCut<int> cut = cut_into_vectors<kElements>(data, count);
  const auto thread = static_cast<int>(threadIdx.x);
  auto* const vectors = reinterpret_cast<Vector<Real>*>(data + cut.head) + thread;

  uint4 held[kVectorsInFlight];  // raw words: unpacked elements would occupy a register each
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

/// Called by one thread of each block; `any` says whether the block saw inf or NaN. Never clears
/// the flag (AMP-206). Atomic, because blocks raise it concurrently (AMP-213).
__device__ inline void raise_flag_if(bool any, float* found_inf) {
  if (any) atomicExch(found_inf, 1.0f);
}

/// The default `Ending`, which one thread of each block calls last: does nothing.
struct NoOperation {
  __device__ void operator()() const {}
};

/// Reads each element once and writes it once, even if it is inf or NaN (AMP-201, AMP-205).
template <typename Real, typename Table, typename Ending>
__global__ void __launch_bounds__(kBlock, kBlocksAtOnce)
    unscale_kernel(const __grid_constant__ Table table, UnscaleScalars scalars, Ending ending) {
  const Tile<1> tile = tile_of_block<kUnscaleTile<Real>>(table);
  Real* const data = static_cast<Real*>(tile.row.data[0]) + tile.first;
  const float factor = *scalars.inv_scale;
  const bool is_bad = unscale_tile(data, tile.count, factor);

  const int any = __syncthreads_or(is_bad);
  if (threadIdx.x != 0) return;
  raise_flag_if(any != 0, scalars.found_inf);
  ending();
}

}  // namespace assay::cuda
