// CUDA event calls, traced according to EVT-033.
#include "cuda_impl/runtime/driver_event.hpp"

#include <cstdint>
#include <string>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/logs.hpp"

namespace assay::cuda {
namespace {

std::string shown(cudaEvent_t event) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(event));
}

void trace(const char* what, cudaEvent_t event) {
  if (!is_traced()) return;
  write_log(LogLevel::kTrace, std::string(what) + "(" + shown(event) + ")");
}

void trace(const char* what, cudaEvent_t event, cudaStream_t stream) {
  if (!is_traced()) return;
  write_log(LogLevel::kTrace, std::string(what) + "(" + shown(event) + ", " +
                                  std::to_string(reinterpret_cast<std::uintptr_t>(stream)) + ")");
}

/// FLT-008. PyTorch also warns if the runtime is already unloaded.
void warn_of(cudaError_t result) noexcept {
  cuda_warn(result);
  if (result != cudaErrorCudartUnloading) return;
  try {
    warn("UserWarning", "CUDA warning: " + std::string(cudaGetErrorString(result)));
  } catch (const std::exception&) {
    // There is no memory for the warning.
  }
}

/// EVT-030: the driver accepts the external flag only during a capture. EVT-034: PyTorch looks for
/// a capture in the current stream of the current device.
bool is_external_now(const Stream& stream, bool is_external) {
  if (!is_external) return false;
  return capture_status(rules().is_strict ? stream : current_cuda_stream()) != CaptureStatus::kNone;
}

}  // namespace

cudaEvent_t create_driver_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  cuda_check(cudaEventCreateWithFlags(&event, flags));
  trace("create", event);
  return event;
}

void record_driver_event(cudaEvent_t event, const Stream& stream, bool is_external) {
  cudaStream_t const handle = handle_of(stream);
  if (is_external_now(stream, is_external)) {
    cuda_check(cudaEventRecordWithFlags(event, handle, cudaEventRecordExternal));
  } else {
    cuda_check(cudaEventRecord(event, handle));
  }
  trace("record", event, handle);
}

void block_driver_event(cudaEvent_t event, const Stream& stream, bool is_external) {
  const DeviceScope scope(stream.device.index == -1 ? current_device() : stream.device.index);
  cudaStream_t const handle = handle_of(stream);
  const bool is_node = is_external_now(stream, is_external);
  cuda_check(
      cudaStreamWaitEvent(handle, event, is_node ? cudaEventWaitExternal : cudaEventWaitDefault));
  trace("wait", event, handle);
}

bool query_driver_event(cudaEvent_t event) {
  const cudaError_t result = cudaEventQuery(event);
  if (result == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  cuda_check(result);
  return true;
}

void synchronize_driver_event(cudaEvent_t event) {
  trace("synchronize", event);
  cuda_check(cudaEventSynchronize(event));
}

void destroy_driver_event(cudaEvent_t event, int device, bool is_silent) noexcept {
  const auto judge = [is_silent](cudaError_t result) {
    if (!is_silent) return warn_of(result);
    if (result != cudaSuccess) static_cast<void>(cudaGetLastError());
  };
  try {
    const DeviceScope scope(device);
    trace("delete", event);
    judge(cudaEventDestroy(event));
  } catch (const Error& error) {
    // The device cannot be made current; destroy the event nevertheless.
    judge(static_cast<cudaError_t>(error.code().value_or(cudaErrorUnknown)));
    judge(cudaEventDestroy(event));
  }
}

float elapsed_of_driver(cudaEvent_t from, cudaEvent_t to, int device) {
  const DeviceScope scope(device);
  float milliseconds = 0;
  cuda_check(cudaEventElapsedTime(&milliseconds, from, to));
  return milliseconds;
}

}  // namespace assay::cuda
