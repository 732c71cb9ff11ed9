// Backends of device types: default implementations for those without a feature (GRD-026), the
// backend of types without streams (GRD-024), and the registry (GRD-025).
#include "reference/runtime/backends/guard_backend.hpp"

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/cuda.hpp"

namespace assay::reference {
namespace {

[[noreturn]] void lacks(const char* ability) {
  throw Error("Backend doesn't support " + std::string(ability) + ".");
}

}  // namespace

Stream GuardBackend::default_stream(Device) { lacks("acquiring a default stream"); }
Stream GuardBackend::pool_stream(Device, bool) { lacks("acquiring a stream from pool"); }
Stream GuardBackend::new_stream(Device, int) { lacks("create a new Stream"); }

void GuardBackend::record(EventHandle&, const Stream&, const EventBefore&) { lacks("events"); }
void GuardBackend::block(EventHandle, const Stream&) { lacks("events"); }
bool GuardBackend::query_event(EventHandle) { lacks("events"); }
void GuardBackend::sync_event(EventHandle) { lacks("synchronizing events"); }
void GuardBackend::destroy_event(EventHandle, int) noexcept {}
double GuardBackend::elapsed_ms(EventHandle, EventHandle, int) { lacks("elapsedTime"); }

bool GuardBackend::query_stream(const Stream&) { lacks("querying streams"); }
void GuardBackend::sync_stream(const Stream&) { lacks("synchronizing streams"); }
void GuardBackend::sync_device(int) { lacks("synchronizing all streams on device"); }

void check_type(const GuardBackend& backend, Device device) {
  check(device.type == backend.type(), ErrorKind::kInternal, [&] {
    return "a device of the type " + std::string(name_of(backend.type())) + " was expected, not " +
           to_text(device);
  });
}

// The backend of device types without streams: CPU and meta.

/// GRD-024.
BackendRef make_noop_backend(DeviceType type);

namespace {

class NoOpBackend final : public GuardBackend {
 public:
  explicit NoOpBackend(DeviceType type) : type_(type) {}

  DeviceType type() const override { return type_; }
  Device exchange_device(Device) override { return only_device(); }
  Device get_device() override { return only_device(); }
  void set_device(Device) override {}
  void unchecked_set_device(Device) noexcept override {}
  Stream get_stream(Device) override { return {only_device(), 0}; }
  Stream exchange_stream(const Stream&) override { return {only_device(), 0}; }
  Stream new_stream(Device, int) override { return {only_device(), 0}; }
  int device_count() noexcept override { return 1; }

  void record(EventHandle&, const Stream&, const EventBefore&) override { no_events(); }
  void block(EventHandle, const Stream&) override { no_events(); }
  bool query_event(EventHandle) override {
    no_events();
    return true;
  }

  bool query_stream(const Stream&) override { return true; }
  void sync_stream(const Stream&) override {}
  void sync_device(int) override {}

 private:
  Device only_device() const { return {type_, -1}; }
  void no_events() const {
    throw Error(std::string(name_of(type_)) + " backend doesn't support events.");
  }

  DeviceType type_;
};

}  // namespace

BackendRef make_noop_backend(DeviceType type) { return std::make_shared<NoOpBackend>(type); }

// The registry.

namespace {

class Registry {
 public:
  BackendRef get(Runtime& runtime, DeviceType type) {
    const std::scoped_lock lock(mutex_);
    fill(runtime);
    return slot(type);
  }
  void set(Runtime& runtime, BackendRef backend) {
    const std::scoped_lock lock(mutex_);
    fill(runtime);
    BackendRef& place = slot(backend->type());
    place = std::move(backend);
  }

 private:
  BackendRef& slot(DeviceType type) { return slots_[static_cast<std::size_t>(type)]; }

  /// Registers the built-in backends.
  void fill(Runtime& runtime) {
    if (std::exchange(is_filled_, true)) return;
    slot(DeviceType::kCpu) = make_noop_backend(DeviceType::kCpu);
    slot(DeviceType::kMeta) = make_noop_backend(DeviceType::kMeta);
    if (runtime.contract().cuda()) slot(DeviceType::kCuda) = make_cuda_backend(runtime);
  }

  std::mutex mutex_;
  bool is_filled_ = false;
  std::array<BackendRef, kDeviceTypes> slots_;
};

}  // namespace

bool has_backend(Runtime& runtime, DeviceType type) noexcept {
  return runtime.shared<Registry>().get(runtime, type) != nullptr;
}

BackendRef backend_of(Runtime& runtime, DeviceType type) {
  BackendRef found = runtime.shared<Registry>().get(runtime, type);
  check(found != nullptr, [&] {
    return "PyTorch is not linked with support for " +
           std::string(name_of(type, runtime.contract().release)) + " devices";
  });
  return found;
}

void register_backend(Runtime& runtime, BackendRef backend) {
  runtime.shared<Registry>().set(runtime, std::move(backend));
}

}  // namespace assay::reference
