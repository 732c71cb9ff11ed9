// Test backends, registered with PyTorch.
#include "harness/adapters/libtorch/backends.hpp"

#include <c10/core/impl/FakeGuardImpl.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::DeviceType;
using c10::Stream;
using c10::impl::DeviceGuardImplInterface;

std::string number(std::int64_t value) { return std::to_string(value); }

/// The number of times backends were removed.
std::atomic<std::uint64_t> resets{0};

/// The minimum for a backend (GRD-026). Current devices and streams are thread-local.
class BareBackend : public DeviceGuardImplInterface {
 public:
  BareBackend(DeviceType type, int devices) : type_(type), devices_(devices) {}

  DeviceType type() const override { return type_; }
  Device exchangeDevice(Device device) const override {
    check_index(device);
    const Device before = BareBackend::getDevice();
    current().device = device.index();
    return before;
  }
  Device getDevice() const override { return {type_, current().device}; }
  void setDevice(Device device) const override {
    TORCH_INTERNAL_ASSERT(device.index() >= 0);
    check_index(device);
    current().device = device.index();
  }
  void uncheckedSetDevice(Device device) const noexcept override {
    current().device = device.index();
  }
  Stream getStream(Device device) const noexcept override {
    return Stream(Stream::UNSAFE, device, current().streams[device.index()]);
  }
  Stream exchangeStream(Stream stream) const noexcept override {
    const Stream before = BareBackend::getStream(stream.device());
    current().streams[stream.device_index()] = stream.id();
    return before;
  }
  DeviceIndex deviceCount() const noexcept override { return static_cast<DeviceIndex>(devices_); }

 protected:
  /// Called first, as in PyTorch's backends (GRD-010).
  void check_type(Device device) const { TORCH_INTERNAL_ASSERT(device.type() == type_); }

 private:
  struct Current {
    DeviceIndex device = 0;
    std::map<int, std::int64_t> streams;
  };

  /// The number for this type, shared by its backends until the next reset.
  Current& current() const {
    thread_local std::map<std::pair<std::uint64_t, DeviceType>, Current> all;
    return all[{resets.load(), type_}];
  }
  void check_index(Device device) const {
    check_type(device);
    TORCH_INTERNAL_ASSERT(device.index() < devices_);
  }

  DeviceType type_;
  int devices_;
};

class Log {
 public:
  void add(std::string text) {
    const std::scoped_lock lock(mutex_);
    texts_.push_back(std::move(text));
  }
  std::vector<std::string> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(texts_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

Log& backend_log() {
  static Log log;
  return log;
}

/// Logs each call. Its events are numbers and always complete.
class LoggingBackend final : public BareBackend {
 public:
  using BareBackend::BareBackend;

  Device exchangeDevice(Device device) const override {
    check_type(device);
    log("exch(" + number(device.index()) + ")");
    return BareBackend::exchangeDevice(device);
  }
  Device getDevice() const override {
    log("get");
    return BareBackend::getDevice();
  }
  void setDevice(Device device) const override {
    check_type(device);
    log("set(" + number(device.index()) + ")");
    BareBackend::setDevice(device);
  }
  void uncheckedSetDevice(Device device) const noexcept override {
    log("uset(" + number(device.index()) + ")");
    BareBackend::uncheckedSetDevice(device);
  }
  Stream getStream(Device device) const noexcept override {
    log("gs(" + number(device.index()) + ")");
    return BareBackend::getStream(device);
  }
  Stream exchangeStream(Stream stream) const noexcept override {
    log("xs(" + place(stream) + ")");
    return BareBackend::exchangeStream(stream);
  }
  Stream getDefaultStream(Device device) const override {
    log("default(" + number(device.index()) + ")");
    return Stream(Stream::DEFAULT, device);
  }
  Stream getStreamFromGlobalPool(Device device, bool is_high) const override {
    log("pool(" + number(device.index()) + (is_high ? ",high)" : ",low)"));
    return Stream(Stream::UNSAFE, device, ++last_stream_);
  }
  /// As in every PyTorch backend: the backend checks the index (EVT-005).
  void record(void** event, const Stream& stream, const DeviceIndex device_index,
              const c10::EventFlag) const override {
    TORCH_CHECK(device_index == -1 || device_index == stream.device_index(), "Event device index ",
                device_index, " does not match recording stream's device index ",
                stream.device_index(), ".");
    log(std::string("record(") + (*event == nullptr ? "null" : "set") + "," + place(stream) +
        ",index " + number(device_index) + ")");
    if (*event == nullptr) *event = reinterpret_cast<void*>(++last_event_);
  }
  void block(void*, const Stream& stream) const override { log("block(" + place(stream) + ")"); }
  bool queryEvent(void*) const override {
    log("query");
    return true;
  }
  void destroyEvent(void*, const DeviceIndex device_index) const noexcept override {
    log("destroy(index " + number(device_index) + ")");
  }
  bool queryStream(const Stream&) const override {
    log("query");
    return true;
  }
  void synchronizeStream(const Stream&) const override { log("sync"); }
  // Without `override`, because 1.13 does not have these virtual functions.
  Stream getNewStream(Device device, int priority) const {
    log("new(" + number(device.index()) + "," + number(priority) + ")");
    return Stream(Stream::UNSAFE, device, ++last_stream_);
  }
  void synchronizeEvent(void*) const { log("sync"); }
  double elapsedTime(void*, void*, const DeviceIndex device_index) const {
    log("elapsed(index " + number(device_index) + ")");
    return 0;
  }
  void synchronizeDevice(const DeviceIndex device_index) const {
    log("sync_device(" + number(device_index) + ")");
  }

 private:
  static std::string place(const Stream& stream) {
    return number(stream.device_index()) + ":" + number(stream.id());
  }
  void log(const std::string& text) const {
    backend_log().add(c10::DeviceTypeName(type(), true) + "." + text);
  }

  mutable std::int64_t last_stream_ = 0;
  mutable std::uintptr_t last_event_ = 0;
};

template <DeviceType kType>
std::unique_ptr<DeviceGuardImplInterface> fake() {
  auto made = std::make_unique<c10::impl::FakeGuardImpl<kType>>();
  made->resetStreams();
  made->setDeviceIndex(0);
  return made;
}

std::unique_ptr<DeviceGuardImplInterface> fake_of(DeviceType type) {
  if (type == DeviceType::HIP) return fake<DeviceType::HIP>();
  if (type == DeviceType::XPU) return fake<DeviceType::XPU>();
  if (type == DeviceType::CUDA) return fake<DeviceType::CUDA>();
  throw NotSupported("a fake backend of " + c10::DeviceTypeName(type, true));
}

std::unique_ptr<DeviceGuardImplInterface> made(DeviceType type, const std::string& kind,
                                               int devices) {
  if (kind == "logging") return std::make_unique<LoggingBackend>(type, devices);
  if (kind == "bare") return std::make_unique<BareBackend>(type, devices);
  if (kind == "fake") return fake_of(type);
  throw NotSupported("no kind '" + kind + "' of backends");
}

std::atomic<const DeviceGuardImplInterface*>& slot_of(DeviceType type) {
  return c10::impl::device_guard_impl_registry[static_cast<std::size_t>(type)];
}

/// The backend registered before the client's.
std::map<DeviceType, const DeviceGuardImplInterface*>& replaced() {
  static std::map<DeviceType, const DeviceGuardImplInterface*> all;
  return all;
}

}  // namespace

void add_backend(DeviceType type, const std::string& kind, int devices) {
  // PyTorch keeps plain pointers, so a backend is never deleted (GRD-025).
  static std::vector<std::unique_ptr<DeviceGuardImplInterface>> kept;
  kept.push_back(made(type, kind, devices));
  replaced().emplace(type, slot_of(type).load());
  slot_of(type).store(kept.back().get());
}

void remove_backends() {
  for (const auto& [type, before] : replaced()) slot_of(type).store(before);
  replaced().clear();
  ++resets;
  backend_log().take();
}

std::vector<std::string> take_backend_log() { return backend_log().take(); }

}  // namespace assay::libtorch
