// Unscale gradients in place and raise a flag where an element is inf or NaN: many tensors in one
// launch.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/planted.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/unscale.hpp"
#include "cuda_impl/kernels/unscale_element.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

/// Vectors that a thread reads before it writes the first: what keeps the memory busy is bytes
/// under way, 64 a thread here.
inline constexpr int kVectorsInFlight = 4;
template <typename Real>
inline constexpr int kUnscaleTile = kBlock* kVectorsInFlight* Vector<Real>::kElements;

/// At most kUnscaleTile elements. Whether one of those was bad that the calling thread saw.
template <typename Real>
__device__ int unscale_tile(Real* data, int count, float factor) {
  constexpr int kElements = Vector<Real>::kElements;
  if (planted(Planted::kHeadMisaligned))
    data -= reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(Real);
  VectorCut cut = cut_into_vectors(data, count);
  if (planted(Planted::kTailLeftOut)) cut.tail = 0;
  const auto thread = static_cast<int>(threadIdx.x);
  Real* const body = data + cut.head;
  Real* const tail = body + cut.vectors * kElements;
  int bad = 0;
  if (thread < cut.head) bad |= unscale_element(data[thread], factor);
  if (thread < cut.tail) {
    const int is_bad = unscale_element(tail[thread], factor);
    const bool overlooked = planted(Planted::kLastElementUnchecked) && thread == cut.tail - 1;
    bad |= overlooked ? 0 : is_bad;
  }

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

/// For one thread of a block that saw a bad element, or not. The flag is only ever raised, clearing
/// it is the caller's business (AMP-206); other blocks raise it at the same time (AMP-213).
__device__ inline void raise_flag_if(bool any, float* found_inf) {
  if (planted(Planted::kFlagByPlainStore)) {
    *found_inf = any ? 1.0f : 0.0f;
  } else if (any) {
    atomicExch(found_inf, 1.0f);
  }
}

/// What one thread of each block does at its end.
struct NothingMore {
  __device__ void operator()() const {}
};

/// How often the chunk is unscaled: once.
template <typename Table>
__device__ inline int passes_over(const Table& table, const Chunk<1>& chunk) {
  if (planted(Planted::kSecondChunkTwice) && chunk.first == table.chunk_elements) return 2;
  if (planted(Planted::kTensor111Dropped) && table.chunks[blockIdx.x].row == 110) return 0;
  return 1;
}

/// One pass: each element is read once and written once, whatever it holds (AMP-201, AMP-205).
template <typename Real, typename Table, typename Ending>
__global__ void __launch_bounds__(kBlock)
    unscale_kernel(const __grid_constant__ Table table, UnscaleScalars scalars, Ending ending) {
  using AnyInBlock = cub::BlockReduce<int, kBlock>;
  __shared__ typename AnyInBlock::TempStorage scratch;

  const Chunk<1> chunk = chunk_of_block(table);
  const float factor = number_at(scalars.inv_scale);
  const int passes = passes_over(table, chunk);
  int bad = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for_each_tile<kUnscaleTile<Real>>(chunk, [&](std::int64_t first, int count) {
      bad |= unscale_tile(static_cast<Real*>(chunk.row.data[0]) + first, count, factor);
    });
  }

  const int any = AnyInBlock(scratch).Reduce(bad, [](int a, int b) { return a | b; });
  if (threadIdx.x != 0) return;
  raise_flag_if(any != 0, scalars.found_inf);
  ending();
}

}  // namespace assay::cuda
