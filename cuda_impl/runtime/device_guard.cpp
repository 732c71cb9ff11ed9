// Sets and restores the current device.
#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/guards.hpp"

namespace assay::cuda {
namespace {

void require_type(DeviceKind type, Device device) {
  require(device.kind == type, ErrorKind::kInternal, [&] {
    return "a guard of " + to_text(Device{type, -1}) + " got the device " + to_text(device);
  });
}

/// GRD-010: in PyTorch, a device without an index counts as one of the guard's type.
Device of_type(DeviceKind type, Device device) {
  if (device.index == -1 && !rules().is_strict) return {type, -1};
  require_type(type, device);
  return device;
}

}  // namespace

DeviceGuard::DeviceGuard(Device device) : backend_(&backend_of(device.kind)), is_static_(false) {
  enter(device);
}

DeviceGuard::DeviceGuard(DeviceKind type, Device device)
    : backend_(&backend_of(type)), is_static_(true) {
  enter(of_type(type, device));
}

DeviceGuard::~DeviceGuard() { backend_->unchecked_set_device(original_); }

void DeviceGuard::enter(Device device) {
  const bool is_here = device.index == -1;
  original_ = is_here ? backend_->get_device() : backend_->exchange_device(device);
  current_ = is_here ? original_ : device;
}

void DeviceGuard::set_device(Device device) {
  require_type(backend_->type(), device);
  if (device.index == -1) return;
  backend_->set_device(device);
  current_ = device;
}

void DeviceGuard::reset_device(Device device) {
  if (is_static_ || device.kind == backend_->type()) return set_device(device);
  if (device.index != -1) change_type(device);
}

/// GRD-006: PyTorch restores the device before it looks up the other backend.
void DeviceGuard::change_type(Device device) {
  if (rules().is_strict) static_cast<void>(backend_of(device.kind));
  backend_->set_device(original_);
  backend_ = &backend_of(device.kind);
  enter(device);
}

OptionalDeviceGuard::OptionalDeviceGuard(std::optional<DeviceKind> type,
                                         std::optional<Device> device)
    : type_(type) {
  if (device) begin(*device);
}

void OptionalDeviceGuard::begin(Device device) {
  if (type_) {
    guard_.emplace(*type_, device);
  } else {
    guard_.emplace(device);
  }
}

void OptionalDeviceGuard::set_device(Device device) {
  if (!guard_) return begin(device);
  guard_->set_device(device);
}

void OptionalDeviceGuard::reset_device(Device device) {
  if (!guard_) return begin(device);
  guard_->reset_device(device);
}

void OptionalDeviceGuard::reset() { guard_.reset(); }

void OptionalDeviceGuard::set_index(int index) { set_device({type_.value(), index}); }

}  // namespace assay::cuda
