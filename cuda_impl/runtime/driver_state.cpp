// Queries the runtime for the reason.
#include "cuda_impl/runtime/driver_state.hpp"

#include <cuda_runtime_api.h>

namespace assay::cuda {

std::string why_no_device() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) static_cast<void>(cudaGetLastError());
  const bool has_driver = result != cudaErrorInsufficientDriver && result != cudaErrorStubLibrary;
  if (has_driver) return "No CUDA GPUs are available";
  return "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and "
         "installed a driver.";
}

}  // namespace assay::cuda
