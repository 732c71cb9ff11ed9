// Implements the CUDA backend and its driver events.
#include "reference/runtime/backends/cuda.hpp"

#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/common.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/logs.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
namespace {

/// Runs `work` with the device current. In compat until 2.13, an error leaves it current: [DEV] of
/// EVT-025.
template <typename Work>
void on_device(Runtime& runtime, int index, const Work& work) {
  if (runtime.contract().strict() || runtime.contract().at_least(Release::k2_14)) {
    const OnCudaDevice on(runtime, index);
    return work();
  }
  const int before = cuda_exchange_device(runtime, index);
  work();
  cuda_set_device(runtime, before);
}

}  // namespace

EventHandle CudaEvents::create(int flag) {
  EventHandle event = 0;
  const unsigned flags = cuda_event_flags(flag, runtime_.contract().release);
  cuda_check(runtime_, driver_of(runtime_).event_create(event, flags));
  // [DEV] of EVT-033: PyTorch reports the address of its variable instead.
  log_trace(runtime_,
            "create(" + (runtime_.contract().strict() ? std::to_string(event) : "variable") + ")");
  return event;
}

void CudaEvents::record(EventHandle& event, const Stream& stream, const EventBefore& before) {
  check_event_index(runtime_.contract(), before.device_index, stream.device.index);
  const Stream on = cuda_stream(stream, true);
  on_device(runtime_, on.device.index, [&] {
    const bool is_new = event == 0;
    const EventHandle recorded = is_new ? create(before.flag) : event;
    try {
      const StreamHandle handle = handle_of(runtime_, on);
      cuda_check(runtime_, driver_of(runtime_).event_record(recorded, handle));
      log_trace(runtime_,
                "record(" + std::to_string(recorded) + "," + std::to_string(handle) + ")");
    } catch (const Error&) {
      if (is_new && runtime_.contract().strict()) destroy(recorded, on.device.index);
      throw;
    }
    event = recorded;
  });
}

void CudaEvents::block(EventHandle event, const Stream& stream) {
  if (event == 0) return;
  const Stream on = cuda_stream(stream, true);
  on_device(runtime_, on.device.index, [&] {
    const StreamHandle handle = handle_of(runtime_, on);
    cuda_check(runtime_, driver_of(runtime_).stream_wait(handle, event));
    log_trace(runtime_, "wait(" + std::to_string(event) + "," + std::to_string(handle) + ")");
  });
}

bool CudaEvents::query(EventHandle event) {
  return event == 0 || is_ready(runtime_, driver_of(runtime_).event_query(event));
}

void CudaEvents::synchronize(EventHandle event) {
  if (event == 0) return;
  log_trace(runtime_, "sync(" + std::to_string(event) + ")");
  cuda_check(runtime_, driver_of(runtime_).event_sync(event));
}

void CudaEvents::destroy(EventHandle event, int device_index, bool warns) noexcept {
  const std::size_t warned = runtime_.warnings();
  const std::optional<int> before = cuda_visit_device(runtime_, device_index);
  log_trace(runtime_, "delete(" + std::to_string(event) + ")");
  cuda_warn(runtime_, driver_of(runtime_).event_destroy(event));
  if (before) cuda_restore_device(runtime_, *before);
  if (!warns) runtime_.take_warnings(warned);
}

double CudaEvents::elapsed_ms(EventHandle from, EventHandle to, int device_index) {
  float milliseconds = 0;
  on_device(runtime_, device_index, [&] {
    cuda_check(runtime_, driver_of(runtime_).event_elapsed(milliseconds, from, to));
  });
  return static_cast<double>(milliseconds);
}

// The backend.

namespace {

class CudaBackend final : public GuardBackend {
 public:
  explicit CudaBackend(Runtime& runtime) : runtime_(runtime), events_(runtime) {}

  DeviceType type() const override { return DeviceType::kCuda; }

  Device exchange_device(Device device) override {
    check_type(*this, device);
    return cuda_device(cuda_exchange_device(runtime_, device.index));
  }
  Device get_device() override { return cuda_device(cuda_current_device(runtime_)); }
  void set_device(Device device) override {
    check_type(*this, device);
    cuda_set_device(runtime_, device.index);
  }
  void unchecked_set_device(Device device) noexcept override {
    cuda_restore_device(runtime_, device.index);
  }
  int device_count() noexcept override { return cuda_device_count(runtime_); }

  Stream get_stream(Device device) override { return current_stream(runtime_, device.index); }
  Stream exchange_stream(const Stream& stream) override {
    const Stream next = cuda_stream(stream, true);
    const Stream before = current_stream(runtime_, stream.device.index);
    set_current_stream(runtime_, next);
    return before;
  }
  void set_stream(const Stream& stream) override { set_current_stream(runtime_, stream); }
  Stream default_stream(Device device) override {
    return reference::default_stream(runtime_, device.index);
  }
  Stream pool_stream(Device device, bool is_high) override {
    return stream_from_pool(runtime_, is_high, device.index);
  }
  Stream new_stream(Device device, int priority) override {
    return stream_from_pool(runtime_, priority, device.index);
  }

  void record(EventHandle& event, const Stream& stream, const EventBefore& before) override {
    events_.record(event, stream, before);
  }
  void block(EventHandle event, const Stream& stream) override { events_.block(event, stream); }
  bool query_event(EventHandle event) override { return events_.query(event); }
  void sync_event(EventHandle event) override { events_.synchronize(event); }
  void destroy_event(EventHandle event, int device_index) noexcept override {
    if (event != 0) events_.destroy(event, device_index);
  }
  double elapsed_ms(EventHandle from, EventHandle to, int device_index) override {
    check(from != 0 && to != 0,
          [] { return "Both events must be recorded before calculating elapsed time."; });
    return events_.elapsed_ms(from, to, device_index);
  }

  bool query_stream(const Stream& stream) override {
    return reference::query_stream(runtime_, stream);
  }
  void sync_stream(const Stream& stream) override { synchronize_stream(runtime_, stream); }
  void sync_device(int index) override { cuda_synchronize_device(runtime_, index); }

 private:
  Runtime& runtime_;
  CudaEvents events_;
};

}  // namespace

BackendRef make_cuda_backend(Runtime& runtime) { return std::make_shared<CudaBackend>(runtime); }

}  // namespace assay::reference
