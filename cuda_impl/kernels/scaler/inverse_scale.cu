// Computes the inverse of the scale in one thread.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/scaler/inverse_scale.cuh"

namespace assay::cuda {
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

}  // namespace assay::cuda
