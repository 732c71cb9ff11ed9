// CUDA event calls, traced according to EVT-033, and events of the CUDA interface.
#include "cuda_impl/runtime/cuda_event.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/event.hpp"
#include "cuda_impl/runtime/process.hpp"

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

// Events of the CUDA interface.

namespace {

int index_of(const Stream& stream) {
  return stream.device.index == -1 ? current_device() : stream.device.index;
}

}  // namespace

CudaEvent::CudaEvent(unsigned flags) : flags_(flags), is_external_((flags & kExternalEvent) != 0) {}

CudaEvent::CudaEvent(Device device, const std::string& ipc_bytes) {
  require(device.is_cuda(),
          [&] { return "Event can only be created on CUDA devices, got " + to_text(device); });
  cudaIpcEventHandle_t exported{};
  require(ipc_bytes.size() == sizeof exported, [&] {
    return "expects byte-like object of size " + std::to_string(sizeof exported) + ", but got " +
           std::to_string(ipc_bytes.size());
  });
  std::memcpy(&exported, ipc_bytes.data(), sizeof exported);
  const int index = device.index == -1 ? current_device() : device.index;
  const DeviceScope scope(index);
  cuda_check(cudaIpcOpenEventHandle(&handle_, exported));
  device_ = index;
}

CudaEvent::~CudaEvent() { destroy(); }

void CudaEvent::destroy() noexcept {
  if (handle_ == nullptr) return;
  const bool is_silent = !rules().is_strict && rules().release < Release::k2_11;  // EVT-022
  destroy_driver_event(std::exchange(handle_, nullptr), device_, is_silent);
}

void CudaEvent::swap_with(CudaEvent& other) noexcept {
  std::swap(flags_, other.flags_);
  std::swap(was_recorded_, other.was_recorded_);
  std::swap(device_, other.device_);
  std::swap(handle_, other.handle_);
  if (rules().is_strict) std::swap(is_external_, other.is_external_);  // EVT-024
}

CudaEvent::CudaEvent(CudaEvent&& other) noexcept { swap_with(other); }

CudaEvent& CudaEvent::operator=(CudaEvent&& other) noexcept {
  if (this != &other) swap_with(other);
  return *this;
}

void CudaEvent::record_first(const Stream& stream, int device) {
  handle_ = create_driver_event(flags_ & ~kExternalEvent);
  device_ = device;
  try {
    record_driver_event(handle_, stream, is_external_);
  } catch (...) {
    if (rules().is_strict) {  // EVT-025: in PyTorch the event stays created
      destroy();
      device_ = -1;
    }
    throw;
  }
}

void CudaEvent::record(const Stream& stream) {
  const int device = index_of(stream);
  require(handle_ == nullptr || device_ == device, [&] {
    return "Event device " + shown_index(device_) + " does not match recording stream's device " +
           shown_index(device) + ".";
  });
  const DeviceScope scope(device);
  const Stream resolved{cuda_device(device), stream.id};
  if (handle_ == nullptr) {
    record_first(resolved, device);
  } else {
    record_driver_event(handle_, resolved, is_external_);
  }
  was_recorded_ = true;
}

void CudaEvent::record_once(const Stream& stream) {
  if (!was_recorded_) record(stream);
}

void CudaEvent::block(const Stream& stream) const {
  if (handle_ != nullptr) block_driver_event(handle_, stream, is_external_);
}

bool CudaEvent::query() const { return handle_ == nullptr || query_driver_event(handle_); }

void CudaEvent::synchronize() const {
  if (handle_ != nullptr) synchronize_driver_event(handle_);
}

void CudaEvent::check_elapsed(const CudaEvent& other) const {
  const bool is_new = rules().release >= Release::k2_11;
  const bool both_timed = ((flags_ | other.flags_) & cudaEventDisableTiming) == 0;
  require(!is_new || both_timed, ErrorKind::kValue, [] { return kBothTimed; });
  const bool is_strict = rules().is_strict;  // EVT-017: PyTorch takes created for recorded
  const bool both_recorded =
      is_strict ? was_recorded_ && other.was_recorded_ : is_created() && other.is_created();
  require(both_recorded, is_new ? ErrorKind::kValue : ErrorKind::kError,
          [] { return kBothRecorded; });
  require_one_device(device_, other.device_);
  require(!is_new || (query() && other.query()), [] { return kBothComplete; });
}

float CudaEvent::elapsed_ms(const CudaEvent& other) const {
  check_elapsed(other);
  return elapsed_of_driver(handle_, other.handle_, device_);
}

std::string CudaEvent::ipc_bytes() {
  if (handle_ == nullptr) {
    handle_ = create_driver_event(flags_ & ~kExternalEvent);
    device_ = current_device();
  }
  const DeviceScope scope(device_);
  cudaIpcEventHandle_t exported{};
  cuda_check(cudaIpcGetEventHandle(&exported, handle_));
  std::string bytes(sizeof exported, '\0');
  std::memcpy(bytes.data(), &exported, sizeof exported);
  return bytes;
}

std::optional<Device> CudaEvent::device() const {
  if (handle_ == nullptr) return std::nullopt;
  return cuda_device(device_);
}

bool CudaEvent::operator<(const CudaEvent& other) const {
  return std::less<>()(handle_, other.handle_);
}

}  // namespace assay::cuda
