// Device guards, streams and generic events on top of the CUDA runtime.
#include "cuda_impl/runtime/backends/backend_cuda.hpp"

#include <optional>
#include <string>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/driver_event.hpp"
#include "cuda_impl/runtime/event_flag.hpp"

namespace assay::cuda {
namespace {

void require_cuda(Device device) {
  require(device.is_cuda(), ErrorKind::kInternal,
          [&] { return "the backend of CUDA got the device " + to_text(device); });
}

cudaEvent_t as_event(EventHandle handle) { return static_cast<cudaEvent_t>(handle); }

/// Sets a device for the scope. Until 2.13, PyTorch restores the previous one only after success,
/// and makes a context on it (EVT-005, EVT-025).
class DeviceOfEvent {
 public:
  explicit DeviceOfEvent(int device)
      : before_(exchange_current_device(device)), changed_(before_ != device) {}
  ~DeviceOfEvent() {
    if (changed_ && always_returns()) cuda_warn(restore_current_device(before_));
  }
  DeviceOfEvent(const DeviceOfEvent&) = delete;
  DeviceOfEvent& operator=(const DeviceOfEvent&) = delete;

  void done() {
    if (!changed_ || always_returns()) return;
    set_current_device(before_);
    changed_ = false;
  }

 private:
  static bool always_returns() { return rules().is_strict || rules().release >= Release::k2_14; }

  int before_;
  bool changed_;
};

/// A new event, destroyed if its first record fails; PyTorch leaks it (EVT-025).
class NewEvent {
 public:
  NewEvent(unsigned flags, int device) : event_(create_driver_event(flags)), device_(device) {}
  ~NewEvent() {
    if (event_ != nullptr && rules().is_strict) destroy_driver_event(event_, device_, false);
  }
  NewEvent(const NewEvent&) = delete;
  NewEvent& operator=(const NewEvent&) = delete;

  cudaEvent_t get() const { return event_; }
  cudaEvent_t release() { return std::exchange(event_, nullptr); }

 private:
  cudaEvent_t event_;
  int device_;
};

int index_of(const Stream& stream) {
  return stream.device.index == -1 ? current_device() : stream.device.index;
}

}  // namespace

Device CudaBackend::exchange_device(Device device) {
  require_cuda(device);
  return cuda_device(exchange_current_device(device.index));
}

Device CudaBackend::get_device() { return cuda_device(current_device()); }

void CudaBackend::set_device(Device device) {
  require_cuda(device);
  require(device.index >= 0, [&] {
    const bool is_new = rules().release >= Release::k2_11;
    const std::string what = is_new ? "non-negative" : "positive";
    return "device id must be " + what + "! Got " + std::to_string(device.index);
  });
  set_current_device(device.index);
}

void CudaBackend::unchecked_set_device(Device device) noexcept {
  cuda_warn(restore_current_device(device.index));
}

Stream CudaBackend::get_stream(Device device) { return current_cuda_stream(device.index); }

Stream CudaBackend::exchange_stream(const Stream& stream) {
  const Stream before = current_cuda_stream(stream.device.index);
  set_current_stream(stream);
  return before;
}

void CudaBackend::set_stream(const Stream& stream) { set_current_stream(stream); }
int CudaBackend::device_count() { return Session::cuda_devices(); }
Stream CudaBackend::default_stream(Device device) { return cuda::default_stream(device.index); }
Stream CudaBackend::pool_stream(Device device, bool is_high) {
  return stream_from_pool_by_rank(is_high, device.index);
}
Stream CudaBackend::new_stream(Device device, int priority) {
  return stream_from_pool(priority, device.index);
}

EventHandle CudaBackend::record(const EventState& event, const Stream& stream) {
  const Release release = rules().release;
  const int index = index_of(stream);
  DeviceOfEvent device(index);
  std::optional<NewEvent> made;
  if (event.handle == nullptr) made.emplace(driver_flags_of(event.flag, release), index);
  cudaEvent_t const recorded = made ? made->get() : as_event(event.handle);
  record_driver_event(recorded, {cuda_device(index), stream.id});
  device.done();
  return made ? made->release() : recorded;
}

void CudaBackend::block(EventHandle event, const Stream& stream) {
  const int index = index_of(stream);
  DeviceOfEvent device(index);
  block_driver_event(as_event(event), {cuda_device(index), stream.id});
  device.done();
}

bool CudaBackend::query_event(EventHandle event) { return query_driver_event(as_event(event)); }
void CudaBackend::synchronize_event(EventHandle event) {
  synchronize_driver_event(as_event(event));
}
void CudaBackend::destroy_event(EventHandle event, int device) noexcept {
  if (event != nullptr) destroy_driver_event(as_event(event), device, false);
}
double CudaBackend::elapsed_ms(EventHandle from, EventHandle to, int device) {
  return elapsed_of_driver(as_event(from), as_event(to), device);
}

bool CudaBackend::query_stream(const Stream& stream) { return is_done(stream); }
void CudaBackend::synchronize_stream(const Stream& stream) { synchronize(stream); }

void CudaBackend::synchronize_device(int device) {
  const DeviceScope scope(device == -1 ? current_device() : device);
  cuda_check(cudaDeviceSynchronize());
}

}  // namespace assay::cuda
