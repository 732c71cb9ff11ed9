// Kernels of the unscale of a scaler.
#include "cuda_impl/kernels/scaler/unscale.cuh"
#include "cuda_impl/kernels/scaler/unscale_by_scale.cuh"
#include "cuda_impl/kernels/sized_tables.cuh"

namespace assay::cuda {

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

}  // namespace assay::cuda
