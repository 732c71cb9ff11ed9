// Unscales the elements of a non-dense view, and leaves the memory between them alone.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/scaler/unscale_by_scale.cuh"
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
