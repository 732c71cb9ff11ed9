// Launches of the unscale kernels for contiguous gradients.
#include "cuda_impl/kernels/block_counters.hpp"
#include "cuda_impl/kernels/scaler/unscale.cuh"
#include "cuda_impl/kernels/scaler/unscale_and_update.cuh"
#include "cuda_impl/kernels/scaler/update_scale.hpp"
#include "cuda_impl/kernels/sized_tables.cuh"

namespace assay::cuda {

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

}  // namespace assay::cuda
