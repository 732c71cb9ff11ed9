// Guards of the current device (GRD-001 to GRD-011).
#pragma once

#include <optional>

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Makes a device current for as long as it lives, whatever becomes of it inside. Ends on the
/// thread that made it.
class DeviceGuard {
 public:
  /// Looks the backend up. Raises `error` for a type that has none.
  explicit DeviceGuard(Device device);
  /// Made for a type of device. Raises `internal` for a device of another type (GRD-010).
  DeviceGuard(DeviceKind type, Device device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

  /// Was it made for one type?
  bool is_static() const { return is_static_; }
  /// Raises `internal` for another type, also without an index; without one nothing changes.
  void set_device(Device device);
  /// A guard that looked its backend up may go over to another type: the old one's device is
  /// restored first (GRD-005).
  void reset_device(Device device);
  void set_index(int index) { set_device({backend_->type(), index}); }

  /// As it was when the guard was made, or went over to its type.
  Device original_device() const { return original_; }
  /// What the guard itself has set last.
  Device current_device() const { return current_; }

 private:
  void enter(Device device);
  void change_type(Device device);

  GuardBackend* backend_;
  bool is_static_;
  Device original_;
  Device current_;
};

/// Does nothing until a device is set; then the one that is current becomes the original one.
class OptionalDeviceGuard {
 public:
  /// Without a type it looks the backend up.
  OptionalDeviceGuard(std::optional<DeviceKind> type, std::optional<Device> device);
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  bool is_static() const { return type_.has_value(); }
  void set_device(Device device);
  void reset_device(Device device);
  /// Of the type that it was made for; -1 initialises it without a change.
  void set_index(int index);
  /// Restores, and is empty again.
  void reset();
  const std::optional<DeviceGuard>& guard() const { return guard_; }

 private:
  void begin(Device device);

  std::optional<DeviceKind> type_;
  std::optional<DeviceGuard> guard_;
};

}  // namespace assay::cuda
