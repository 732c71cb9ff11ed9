// Launch of the scale update.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/scaler/update_scale.cuh"
#include "cuda_impl/kernels/scaler/update_scale.hpp"

namespace assay::cuda {

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

}  // namespace assay::cuda
