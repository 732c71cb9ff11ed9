// Sets a device and restores the previous one.
#include "reference/runtime/guards/device.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

BackendDeviceGuard::BackendDeviceGuard(Runtime& runtime, DeviceType type, Device device)
    : runtime_(runtime), binding_(Binding::kStatic), backend_(backend_of(runtime, type)) {
  // GRD-010: PyTorch does not check the type of a device without an index.
  const bool is_looked_at = device.index != -1 || runtime.contract().strict();
  if (is_looked_at) check_type(*backend_, device);
  enter({type, device.index});
}

BackendDeviceGuard::BackendDeviceGuard(Runtime& runtime, Device device)
    : runtime_(runtime), binding_(Binding::kVirtual), backend_(backend_of(runtime, device.type)) {
  enter(device);
}

/// GRD-001, GRD-002.
void BackendDeviceGuard::enter(Device device) {
  const bool stays = device.index == -1;
  original_ = stays ? backend_->get_device() : backend_->exchange_device(device);
  current_ = stays ? original_ : device;
}

BackendDeviceGuard::~BackendDeviceGuard() { backend_->unchecked_set_device(original_); }

Device BackendDeviceGuard::current_device() const { return current_; }

void BackendDeviceGuard::set_device(Device device) {
  check_type(*backend_, device);
  if (device.index == -1) return;
  backend_->set_device(device);
  current_ = device;
}

void BackendDeviceGuard::reset_device(Device device) {
  if (binding_ == Binding::kStatic) return set_device(device);  // GRD-004
  if (device.index == -1) return;
  if (device.type != original_.type) return change_type(device);
  backend_->set_device(device);
  current_ = device;
}

/// GRD-005. [DEV] of GRD-006: PyTorch restores the old device before it looks up the new backend.
void BackendDeviceGuard::change_type(Device device) {
  BackendRef next = runtime_.contract().strict() ? backend_of(runtime_, device.type) : nullptr;
  backend_->set_device(original_);
  if (next == nullptr) next = backend_of(runtime_, device.type);
  const Device before = next->exchange_device(device);
  backend_ = next;
  original_ = before;
  current_ = device;
}

void BackendDeviceGuard::set_index(int index) { reset_device({original_.type, index}); }

OptionalDeviceGuard::OptionalDeviceGuard(Runtime& runtime, std::optional<DeviceType> type,
                                         std::optional<Device> device)
    : runtime_(runtime), type_(type) {
  if (device) start(*device);
}

void OptionalDeviceGuard::start(Device device) {
  if (type_) {
    guard_.emplace(runtime_, *type_, device);
  } else {
    guard_.emplace(runtime_, device);
  }
}

void OptionalDeviceGuard::set_device(Device device) {
  if (!guard_) return start(device);
  guard_->set_device(device);
}

void OptionalDeviceGuard::reset_device(Device device) {
  if (!guard_) return start(device);
  guard_->reset_device(device);
}

void OptionalDeviceGuard::set_index(int index) {
  if (!guard_) return start({type_.value_or(DeviceType::kCuda), index});
  guard_->set_index(index);
}

void OptionalDeviceGuard::reset() { guard_.reset(); }

std::optional<Device> OptionalDeviceGuard::original_device() const {
  return guard_ ? std::optional(guard_->original_device()) : std::nullopt;
}

std::optional<Device> OptionalDeviceGuard::current_device() const {
  return guard_ ? std::optional(guard_->current_device()) : std::nullopt;
}

}  // namespace assay::reference
