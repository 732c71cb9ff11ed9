// Multiply-add with one rounding, the same on a device and on the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>

namespace assay::cuda {

__host__ __device__ inline float multiply_add(float a, float b, float sum) {
  return fmaf(a, b, sum);
}
__host__ __device__ inline double multiply_add(double a, double b, double sum) {
  return fma(a, b, sum);
}

}  // namespace assay::cuda
