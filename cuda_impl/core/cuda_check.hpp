// Calls of the CUDA runtime: what they return is looked at, always.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

#include "cuda_impl/core/device/current_stream.hpp"

namespace assay::cuda {

/// FLT-004: raises `device` with the code and the runtime's text of it (FLT-005), and takes the
/// error out of the thread's register.
void cuda_check(cudaError_t result, std::source_location where = std::source_location::current());

/// The same for allocations: `out_of_memory` where memory is short.
void cuda_check_memory(cudaError_t result,
                       std::source_location where = std::source_location::current());

/// For destructors: what went wrong becomes a warning (FLT-008).
void cuda_warn(cudaError_t result) noexcept;

/// Makes a device current for as long as it lives. Costs nothing where the device is current.
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
