// Mistakes that a second build can make on purpose, as kernels ask for them: off, and gone from the
// code, in every other build.
#pragma once

#include "cuda_impl/core/planted.hpp"

namespace assay::cuda {

#ifdef ASSAY_WITH_PLANTED_FAULTS
/// Device code of several files is not linked: all kernels with faults are part of one file,
/// kernels/unscale.cu, which sets it.
__device__ std::uint32_t planted_faults = 0;
__device__ inline bool planted(Planted fault) {
  return (planted_faults & static_cast<std::uint32_t>(fault)) != 0;
}

__device__ const float* remembered_at = nullptr;
__device__ float remembered = 0;
/// The number that stands there; with the fault, the one that stood there when the address was new.
__device__ inline float number_at(const float* address) {
  if (!planted(Planted::kInverseRemembered)) return *address;
  if (remembered_at != address) remembered = *address;
  remembered_at = address;
  return remembered;
}
#else
__host__ __device__ constexpr bool planted(Planted) { return false; }
__device__ inline float number_at(const float* address) { return *address; }
#endif

}  // namespace assay::cuda
