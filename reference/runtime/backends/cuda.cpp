// Implements the CUDA backend.
#include "reference/runtime/backends/cuda.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/cuda_events.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
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
