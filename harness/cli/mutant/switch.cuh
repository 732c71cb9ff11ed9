// Selects the active fault in kernels. Included by CUDA sources that scripts/cmake/mutants.py has
// rewritten.
#pragma once

#include "cuda_impl/core/cuda_check.hpp"
#include "harness/cli/mutant/switch.hpp"

namespace assay::mutant {

/// Device code is not linked across files, so all kernels with faults are in one file.
__device__ std::uint32_t chosen_on_device = 0;

__host__ __device__ inline std::uint32_t fault_on_device() {
#ifdef __CUDA_ARCH__
  return chosen_on_device;
#else
  return chosen;
#endif
}

inline const bool device_is_told = tell_also([](std::uint32_t number) {
  cuda::cuda_check(cudaMemcpyToSymbol(chosen_on_device, &number, sizeof(number)));
});

}  // namespace assay::mutant
