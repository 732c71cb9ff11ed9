// Backends for tests: one stores a current device and streams but has no devices, the other
// supports everything and logs each call.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Implements only the mandatory functions (GRD-026). Current devices and streams are per thread.
class BareBackend : public GuardBackend {
 public:
  BareBackend(Runtime& runtime, DeviceType type, int devices)
      : runtime_(runtime), type_(type), devices_(devices) {}

  DeviceType type() const override { return type_; }
  Device exchange_device(Device device) override;
  Device get_device() override;
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;
  int device_count() noexcept override { return devices_; }

 protected:
  Runtime& runtime() const { return runtime_; }

 private:
  struct Current {
    int device = 0;
    std::map<int, std::int64_t> streams;
  };
  struct OfThread {
    std::map<DeviceType, Current> current;
  };

  Current& current() const { return runtime_.local<OfThread>().current[type_]; }
  void check_index(Device device) const;

  Runtime& runtime_;
  DeviceType type_;
  int devices_;
};

/// GRD-027: its events have no effect and are always complete.
class FakeBackend final : public BareBackend {
 public:
  using BareBackend::BareBackend;

  void record(EventHandle&, const Stream&, const EventBefore&) override {}
  void block(EventHandle, const Stream&) override {}
  bool query_event(EventHandle) override { return true; }
};

class LoggingBackend final : public BareBackend {
 public:
  using BareBackend::BareBackend;

  Device exchange_device(Device device) override;
  Device get_device() override;
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;

  Stream default_stream(Device device) override;
  Stream pool_stream(Device device, bool is_high) override;
  Stream new_stream(Device device, int priority) override;

  void record(EventHandle& event, const Stream& stream, const EventBefore& before) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void sync_event(EventHandle event) override;
  void destroy_event(EventHandle event, int device_index) noexcept override;
  double elapsed_ms(EventHandle from, EventHandle to, int device_index) override;

  bool query_stream(const Stream& stream) override;
  void sync_stream(const Stream& stream) override;
  void sync_device(int index) override;

 private:
  void log(const std::string& text);

  std::atomic<EventHandle> last_event_ = 0;
  std::atomic<std::int64_t> last_stream_ = 0;
};

}  // namespace assay::reference
