// Error checks for calls of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

#include "cuda_impl/core/device/current_device.hpp"

namespace assay::cuda {

/// FLT-004: on failure, raises `device` with the code and the runtime's message (FLT-005), and
/// clears the thread's last error.
void cuda_check(cudaError_t result, std::source_location where = std::source_location::current());

/// Like `cuda_check`, for allocations: raises `out_of_memory` for cudaErrorMemoryAllocation.
void cuda_check_memory(cudaError_t result,
                       std::source_location where = std::source_location::current());

/// For destructors: a failure becomes a warning (FLT-008).
void cuda_warn(cudaError_t result) noexcept;

/// Makes a device current for the scope. Makes no runtime call if it is current already.
class DeviceScope {
 public:
  explicit DeviceScope(int index);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_;
  bool changed_;
};

}  // namespace assay::cuda
