// Calls of the CUDA runtime: what they return is looked at, always.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace assay::cuda {

/// Raises `device` (`out_of_memory` for its code) with the runtime's name and text of the error,
/// and takes the error out of the thread's register.
void cuda_check(cudaError_t result, std::source_location where = std::source_location::current());

/// For destructors: says what went wrong on standard error, and goes on.
void cuda_warn(cudaError_t result,
               std::source_location where = std::source_location::current()) noexcept;

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

/// The stream that the calling thread works on, on its current device: the legacy default stream
/// unless another was made current.
cudaStream_t current_stream();

/// Makes a stream of the current device the calling thread's current one there, for as long as it
/// lives. Ends on the thread that it began on, the last one first.
class StreamScope {
 public:
  explicit StreamScope(cudaStream_t stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  int device_;
  cudaStream_t before_;
};

}  // namespace assay::cuda
