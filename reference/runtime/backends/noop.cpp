// The backend of device types without streams (GRD-024).
#include "reference/runtime/backends/noop.hpp"

#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
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

}  // namespace assay::reference
