// Guards of the current device (GRD-001 to GRD-011).
#pragma once

#include <optional>

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Makes a device current for the scope and restores the original one at the end, whatever happens
/// inside. Must end on the thread that created it.
class DeviceGuard {
 public:
  /// Looks up the backend. Raises `error` for a type without one.
  explicit DeviceGuard(Device device);
  /// For a fixed device type. Raises `internal` for a device of another type (GRD-010).
  DeviceGuard(DeviceKind type, Device device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

  /// Whether the guard has a fixed device type.
  bool is_static() const { return is_static_; }
  /// Raises `internal` for another type, always. Without an index it changes nothing.
  void set_device(Device device);
  /// May switch to another device type, unless the type is fixed: first restores the device of the
  /// old type (GRD-005).
  void reset_device(Device device);
  void set_index(int index) { set_device({backend_->type(), index}); }

  /// The device that was current when the guard was created or switched to its type.
  Device original_device() const { return original_; }
  /// The device that the guard set last.
  Device current_device() const { return current_; }

 private:
  void enter(Device device);
  void change_type(Device device);

  GuardBackend* backend_;
  bool is_static_;
  Device original_;
  Device current_;
};

/// Does nothing until a device is set; the device that is current then becomes the original one.
class OptionalDeviceGuard {
 public:
  /// Without a fixed type, looks up the backend of each device.
  OptionalDeviceGuard(std::optional<DeviceKind> type, std::optional<Device> device);
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  bool is_static() const { return type_.has_value(); }
  void set_device(Device device);
  void reset_device(Device device);
  /// For the fixed type. -1 initializes the guard without changing the device.
  void set_index(int index);
  /// Restores the original device and empties the guard.
  void reset();
  const std::optional<DeviceGuard>& guard() const { return guard_; }

 private:
  void begin(Device device);

  std::optional<DeviceKind> type_;
  std::optional<DeviceGuard> guard_;
};

}  // namespace assay::cuda
