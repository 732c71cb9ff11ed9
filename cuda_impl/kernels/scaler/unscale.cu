// Unscales gradients in place and raises found_inf if an element is inf or NaN: one element, a
// tile, many tensors in one launch, a view; and updates the scale, in the same launch or alone.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/multi_tensor.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

/// AMP-202: half types are multiplied in float and rounded when they are stored.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

/// A single comparison, which is also false for NaN.
__device__ inline bool is_finite(float value) { return fabsf(value) < INFINITY; }

/// Multiplies `value` by `factor`, unless it is 1 (AMP-204). Returns whether it was inf or NaN.
template <typename Real>
__device__ inline bool unscale_element(Real& value, float factor) {
  const auto wide = static_cast<Wide<Real>>(value);
  if (factor != 1.0f) value = static_cast<Real>(wide * static_cast<Wide<Real>>(factor));
  // AMP-209: a double is narrowed for this test only.
  return !is_finite(static_cast<float>(wide));
}

/// AMP-103: multiplies in double and rounds once to float.
__device__ inline float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

/// Called by one thread. Reads the flag before it writes anything (AMP-119).
__device__ inline void update_scale(const ScaleState& state, const ScaleFactors& factors) {
  const float scale = *state.scale;
  if (*state.found_inf != 0.0f) {  // AMP-102: true for NaN too
    *state.scale = scaled_by(scale, factors.backoff);
    *state.growth_tracker = 0;
    return;
  }
  // AMP-110: wraps around.
  const auto clean = static_cast<std::int32_t>(static_cast<unsigned>(*state.growth_tracker) + 1u);
  if (clean != factors.interval) {  // AMP-108: not "less than"
    *state.growth_tracker = clean;
    return;
  }
  const float grown = scaled_by(scale, factors.growth);
  if (factors.grows_to_infinity || isfinite(grown)) *state.scale = grown;
  *state.growth_tracker = 0;  // AMP-107: also if the growth was refused
}

// In a named namespace: an anonymous one has a compiler-generated name that differs between builds.
__global__ void update_scale_kernel(ScaleState state, ScaleFactors factors) {
  update_scale(state, factors);
}

void launch_update_scale(const ScaleState& state, const ScaleFactors& factors) {
  launch(update_scale_kernel, {.grid = dim3(1), .block = dim3(1)}, state, factors);
}

cudaError_t try_launch_update_scale(const ScaleState& state, const ScaleFactors& factors) {
  return try_launch(update_scale_kernel, {.grid = dim3(1), .block = dim3(1)}, state, factors);
}

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

/// The number of finished blocks, one word for each stream; 0 before and after a launch.
inline constexpr unsigned kBlockCounters = 4096;
__device__ unsigned blocks_done[kBlockCounters];

/// Called by one thread of each block, after a barrier that follows the last write of all its
/// threads.
struct UpdateInLastBlock {
  ScaleUpdate update;
  BlockCounter counter;

  __device__ void operator()() const {
    const unsigned blocks = gridDim.x * gridDim.y;
    __threadfence();  // publishes this block's writes before it counts
    unsigned* const done = counter.own != nullptr ? counter.own : &blocks_done[counter.index];
    // The last block sees blocks - 1; atomicInc resets the word to 0 for the next launch.
    const unsigned before = atomicInc(done, blocks - 1);
    if (before != blocks - 1) return;
    __threadfence();  // makes the other blocks' writes visible here
    update_scale(update.state, update.factors);
  }
};

namespace {

using Rows = std::span<const TensorRow<1>>;

template <typename Real>
void unscale_rows(Rows rows, const UnscaleScalars& scalars,
                  const std::optional<ScaleUpdate>& update) {
  if (rows.empty()) return;
  const auto counter = update ? block_counter(kBlockCounters) : std::nullopt;
  for_each_sized_launch<1>(
      rows, kUnscaleTile<Real>, [&]<typename Table>(const Table& table, dim3 grid, bool is_last) {
        if (!is_last || !counter) {
          launch(unscale_kernel<Real, Table, NoOperation>, {.grid = grid}, table, scalars, {});
          return;
        }
        const UpdateInLastBlock ending{*update, *counter};
        launch(unscale_kernel<Real, Table, UpdateInLastBlock>, {.grid = grid}, table, scalars,
               ending);
      });
  if (update && !counter) launch_update_scale(update->state, update->factors);
}

}  // namespace

void launch_unscale(Dtype dtype, Rows rows, const UnscaleScalars& scalars,
                    const std::optional<ScaleUpdate>& update) {
  switch (dtype) {
    case Dtype::kFloat16:
      return unscale_rows<__half>(rows, scalars, update);
    case Dtype::kBFloat16:
      return unscale_rows<__nv_bfloat16>(rows, scalars, update);
    case Dtype::kFloat32:
      return unscale_rows<float>(rows, scalars, update);
    default:
      return unscale_rows<double>(rows, scalars, update);
  }
}

namespace detail {

__global__ void inverse_scale_kernel(const float* scale, float* inverse, float* flag) {
  // SCL-202: divides in double, because a compiler may approximate float division.
  *inverse = static_cast<float>(1.0 / static_cast<double>(*scale));
  *flag = 0.0f;
}

}  // namespace detail

void launch_inverse_scale(const InverseScale& work) {
  launch(detail::inverse_scale_kernel, {.grid = dim3(1), .block = dim3(1)}, work.scale,
         work.inverse, work.flag);
}

/// The bit of a ticket that says whether any block saw inf or NaN. The other bits count the blocks
/// of the last launch, which are fewer than 2^31.
inline constexpr std::uint32_t kAnyBad = 1u << 31;

/// SCL-202: the inverse is the float quotient, which equals the double one rounded.
__device__ inline float factor_of(const UnscaleByScale& work) {
  return work.scale == nullptr ? 1.0f : __frcp_rn(*work.scale);
}

/// Called by one thread of each block. Blocks only ever write the ticket, and one of them the flag,
/// so no order among other writes is needed.
__device__ inline void end_block(const UnscaleByScale& work, bool is_bad) {
  if (is_bad) atomicOr(work.ticket, kAnyBad);
  if (work.found_inf == nullptr) return;
  const std::uint32_t before = atomicAdd(work.ticket, 1u);
  if ((before & ~kAnyBad) != gridDim.x * gridDim.y - 1) return;
  *work.found_inf = (before & kAnyBad) != 0 ? 1.0f : 0.0f;
  atomicExch(work.ticket, 0u);  // a plain write would race with the atomic ones of other blocks
}

template <typename Real, typename Table>
__global__ void __launch_bounds__(kBlock, kBlocksAtOnce)
    unscale_by_scale_kernel(const __grid_constant__ Table table, UnscaleByScale work) {
  const Tile<1> tile = tile_of_block<kUnscaleTile<Real>>(table);
  Real* const data = static_cast<Real*>(tile.row.data[0]) + tile.first;
  const bool is_bad = unscale_tile(data, tile.count, factor_of(work));

  const int any = __syncthreads_or(is_bad);
  if (threadIdx.x == 0) end_block(work, any != 0);
}

namespace {

template <typename Real>
void unscale_rows(std::span<const TensorRow<1>> rows, const UnscaleByScale& work) {
  for_each_sized_launch(rows, kUnscaleTile<Real>,
                        [&]<typename Table>(const Table& table, dim3 grid, bool is_last) {
                          UnscaleByScale now = work;
                          if (!is_last) now.found_inf = nullptr;
                          launch(unscale_by_scale_kernel<Real, Table>, {.grid = grid}, table, now);
                        });
}

}  // namespace

void launch_unscale_by_scale(Dtype dtype, std::span<const TensorRow<1>> rows,
                             const UnscaleByScale& work) {
  switch (dtype) {
    case Dtype::kFloat16:
      return unscale_rows<__half>(rows, work);
    case Dtype::kFloat32:
      return unscale_rows<float>(rows, work);
    default:
      return unscale_rows<double>(rows, work);
  }
}

namespace strided {

/// Returns the offset of element `index` in row-major order.
__device__ std::int64_t offset_of(const StridedRow& row, std::int64_t index) {
  std::int64_t offset = 0;
  for (int d = row.dims - 1; d > 0; --d) {
    offset += index % row.sizes[d] * row.strides[d];
    index /= row.sizes[d];
  }
  return offset + index * row.strides[0];
}

__device__ inline float factor_of(const UnscaleScalars& scalars) { return *scalars.inv_scale; }

__device__ inline void end_block(const UnscaleScalars& scalars, bool is_bad) {
  if (is_bad) atomicExch(scalars.found_inf, 1.0f);
}

/// `Work` provides the factor, and the place where a block reports inf or NaN.
template <typename Real, typename Work>
__global__ void __launch_bounds__(kBlock)
    unscale_strided_kernel(const __grid_constant__ StridedRow row, Work work) {
  const float factor = factor_of(work);
  bool is_bad = false;
  for (auto i = first_index(); i < row.count; i += index_stride()) {
    Real& element = static_cast<Real*>(row.data)[offset_of(row, i)];
    Real value = element;
    is_bad |= unscale_element(value, factor);
    if (factor != 1.0f) element = value;
  }

  const int any = __syncthreads_or(is_bad);
  if (threadIdx.x == 0) end_block(work, any != 0);
}

}  // namespace strided

namespace {

template <typename Real, typename Work>
void unscale_row(const StridedRow& row, const Work& work) {
  launch(strided::unscale_strided_kernel<Real, Work>, {.grid = blocks_for(row.count, 4)}, row,
         work);
}

}  // namespace

void launch_unscale_strided(Dtype dtype, const StridedRow& row, const UnscaleScalars& scalars) {
  switch (dtype) {
    case Dtype::kFloat16:
      return unscale_row<__half>(row, scalars);
    case Dtype::kBFloat16:
      return unscale_row<__nv_bfloat16>(row, scalars);
    case Dtype::kFloat32:
      return unscale_row<float>(row, scalars);
    default:
      return unscale_row<double>(row, scalars);
  }
}

void launch_unscale_by_scale(Dtype dtype, const StridedRow& row, const UnscaleByScale& work) {
  switch (dtype) {
    case Dtype::kFloat16:
      return unscale_row<__half>(row, work);
    case Dtype::kFloat32:
      return unscale_row<float>(row, work);
    default:
      return unscale_row<double>(row, work);
  }
}

}  // namespace assay::cuda
