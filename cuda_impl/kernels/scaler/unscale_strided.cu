// Unscales the elements of a non-dense view, and leaves the memory between them alone.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/unscale_element.cuh"

namespace assay::cuda {
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

template <typename Real>
__global__ void __launch_bounds__(kBlock)
    unscale_strided_kernel(const __grid_constant__ StridedRow row, UnscaleScalars scalars) {
  const float factor = *scalars.inv_scale;
  bool is_bad = false;
  for (auto i = first_index(); i < row.count; i += index_stride()) {
    Real& element = static_cast<Real*>(row.data)[offset_of(row, i)];
    Real value = element;
    is_bad |= unscale_element(value, factor);
    if (factor != 1.0f) element = value;
  }

  const int any = __syncthreads_or(is_bad);
  if (threadIdx.x == 0 && any != 0) atomicExch(scalars.found_inf, 1.0f);
}

}  // namespace strided

namespace {

template <typename Real>
void unscale_row(const StridedRow& row, const UnscaleScalars& scalars) {
  launch(strided::unscale_strided_kernel<Real>, {.grid = blocks_for(row.count, 4)}, row, scalars);
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

}  // namespace assay::cuda
