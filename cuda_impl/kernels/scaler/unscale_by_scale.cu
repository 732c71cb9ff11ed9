// Kernels of the unscale of a scaler.
#include "cuda_impl/kernels/scaler/unscale.cuh"
#include "cuda_impl/kernels/scaler/unscale_by_scale.hpp"
#include "cuda_impl/kernels/sized_tables.cuh"

namespace assay::cuda {

/// The bit of a ticket that says whether any block saw inf or NaN. The other bits count the blocks
/// of the last launch, of which there are fewer.
inline constexpr std::uint32_t kAnyBad = 1u << 31;

/// Called by one thread of each block. Blocks only ever write the ticket, and one of them the flag,
/// so no order among other writes is needed.
__device__ inline void count_block(const UnscaleByScale& work, bool is_bad) {
  if (is_bad) atomicOr(work.ticket, kAnyBad);
  if (work.found_inf == nullptr) return;
  const std::uint32_t before = atomicAdd(work.ticket, 1u);
  if ((before & ~kAnyBad) != gridDim.x * gridDim.y - 1) return;
  *work.found_inf = (before & kAnyBad) != 0 ? 1.0f : 0.0f;
  atomicExch(work.ticket, 0u);  // a plain write would race with the atomic ones of other blocks
}

/// SCL-202: the inverse is the float quotient, which equals the double one rounded.
template <typename Real, typename Table>
__global__ void __launch_bounds__(kBlock, kBlocksAtOnce)
    unscale_by_scale_kernel(const __grid_constant__ Table table, UnscaleByScale work) {
  const Tile<1> tile = tile_of_block<kUnscaleTile<Real>>(table);
  Real* const data = static_cast<Real*>(tile.row.data[0]) + tile.first;
  const float factor = work.scale == nullptr ? 1.0f : __frcp_rn(*work.scale);
  const bool is_bad = unscale_tile(data, tile.count, factor);

  const int any = __syncthreads_or(is_bad);
  if (threadIdx.x == 0) count_block(work, any != 0);
}

namespace {

template <typename Real>
void unscale_rows(std::span<const TensorRow<1>> rows, const UnscaleByScale& work) {
  const auto launch_one = [&]<typename Table>(const Table& table, dim3 grid, bool is_last) {
    UnscaleByScale now = work;
    if (!is_last) now.found_inf = nullptr;
    launch(unscale_by_scale_kernel<Real, Table>, {.grid = grid}, table, now);
  };
  if constexpr (std::is_same_v<Real, float>) {
    for_each_sized_launch(rows, kUnscaleTile<Real>, launch_one);
  } else {
    for_each_launch_of<LargeTable<1>>(rows, kUnscaleTile<Real>, launch_one);
  }
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

}  // namespace assay::cuda
