// The default implementations, which raise for unsupported features (GRD-026); the backends of the
// host and of CUDA, and one slot for each device type.
#include "cuda_impl/runtime/backends/backends.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/cuda_event.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/event.hpp"

namespace assay::cuda {
namespace {

[[noreturn]] void lacks(const std::string& what) { throw Error("Backend doesn't support " + what); }

}  // namespace

Stream GuardBackend::default_stream(Device) { lacks("acquiring a default stream."); }
Stream GuardBackend::pool_stream(Device, bool) { lacks("acquiring a stream from pool."); }
Stream GuardBackend::new_stream(Device, int) { lacks("create a new Stream."); }
EventHandle GuardBackend::record(const EventState&, const Stream&) { lacks("events."); }
void GuardBackend::block(EventHandle, const Stream&) { lacks("events."); }
bool GuardBackend::query_event(EventHandle) { lacks("events."); }
void GuardBackend::synchronize_event(EventHandle) { lacks("synchronizing events."); }
void GuardBackend::destroy_event(EventHandle, int) noexcept {}
double GuardBackend::elapsed_ms(EventHandle, EventHandle, int) { lacks("elapsedTime."); }
bool GuardBackend::query_stream(const Stream&) { lacks("querying streams."); }
void GuardBackend::synchronize_stream(const Stream&) { lacks("synchronizing streams."); }
void GuardBackend::synchronize_device(int) { lacks("synchronizing all streams on device."); }

// The host backend: no events.

/// Guards have no effect, and all work is always complete.
class HostBackend final : public GuardBackend {
 public:
  using GuardBackend::GuardBackend;

  Device exchange_device(Device) override { return only_one(); }
  Device get_device() override { return only_one(); }
  void set_device(Device) override {}
  void unchecked_set_device(Device) noexcept override {}
  Stream get_stream(Device) override { return {only_one(), 0}; }
  Stream exchange_stream(const Stream&) override { return {only_one(), 0}; }
  Stream new_stream(Device, int) override { return {only_one(), 0}; }
  int device_count() override { return 1; }

  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  bool query_stream(const Stream&) override { return true; }
  void synchronize_stream(const Stream&) override {}
  void synchronize_device(int) override {}

 private:
  Device only_one() const { return {type(), -1}; }
  [[noreturn]] void refuse_events() const;
};

EventHandle HostBackend::record(const EventState&, const Stream&) { refuse_events(); }
void HostBackend::block(EventHandle, const Stream&) { refuse_events(); }
bool HostBackend::query_event(EventHandle) { refuse_events(); }

void HostBackend::refuse_events() const {
  throw Error(std::string(name_of(type())) + " backend doesn't support events.");
}

// Device guards, streams and generic events on top of the CUDA runtime.

class CudaBackend final : public GuardBackend {
 public:
  CudaBackend() : GuardBackend(DeviceKind::kCuda) {}

  Device exchange_device(Device device) override;
  Device get_device() override;
  /// Raises `error` for a negative index (FLT-009).
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;
  void set_stream(const Stream& stream) override;
  int device_count() override;
  Stream default_stream(Device device) override;
  Stream pool_stream(Device device, bool is_high) override;
  Stream new_stream(Device device, int priority) override;

  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void synchronize_event(EventHandle event) override;
  void destroy_event(EventHandle event, int device) noexcept override;
  double elapsed_ms(EventHandle from, EventHandle to, int device) override;

  bool query_stream(const Stream& stream) override;
  void synchronize_stream(const Stream& stream) override;
  void synchronize_device(int device) override;
};

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

// The registry.

namespace {

constexpr std::size_t kTypes = static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1;

/// Never destroyed, because backends are used until the process exits (FLT-017).
struct Registry {
  std::array<std::atomic<GuardBackend*>, kTypes> slots{};
  HostBackend cpu{DeviceKind::kCpu};
  HostBackend meta{DeviceKind::kMeta};
  CudaBackend cuda;
  std::mutex mutex;
  std::vector<std::unique_ptr<GuardBackend>> registered;

  Registry() { put_own_ones(true); }
  std::atomic<GuardBackend*>& slot(DeviceKind type) {
    return slots.at(static_cast<std::size_t>(type));
  }
  void put_own_ones(bool has_cuda) {
    slot(DeviceKind::kCpu) = &cpu;
    slot(DeviceKind::kMeta) = &meta;
    slot(DeviceKind::kCuda) = has_cuda ? &cuda : nullptr;
  }
};

Registry& registry() {
  static auto* const made = new Registry();
  return *made;
}

}  // namespace

GuardBackend& backend_of(DeviceKind type) {
  GuardBackend* const found = registry().slot(type).load(std::memory_order_acquire);
  require(found != nullptr, [&] {
    return "PyTorch is not linked with support for " + std::string(name_of(type, rules().release)) +
           " devices";
  });
  return *found;
}

bool has_backend(DeviceKind type) noexcept { return registry().slot(type).load() != nullptr; }

void register_backend(std::unique_ptr<GuardBackend> backend) {
  const std::scoped_lock lock(registry().mutex);
  registry().slot(backend->type()).store(backend.get(), std::memory_order_release);
  registry().registered.push_back(std::move(backend));
}

void reset_backends(bool has_cuda) {
  const std::scoped_lock lock(registry().mutex);
  for (auto& slot : registry().slots) slot = nullptr;
  registry().put_own_ones(has_cuda);
  registry().registered.clear();
}

}  // namespace assay::cuda
