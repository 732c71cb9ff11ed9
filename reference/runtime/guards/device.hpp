// Guards that make a device current and restore the previous one.
#pragma once

#include <optional>

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// A static guard has a fixed device type. A virtual guard looks up the device's backend and may be
/// reset to another type (GRD-010).
enum class Binding { kStatic, kVirtual };

/// GRD-001 to GRD-010. Not copyable or movable. The destructor never raises.
class BackendDeviceGuard {
 public:
  /// Creates a static guard for `type`. Raises `internal` for a device of another type, and the
  /// backend's errors; the device is then unchanged.
  BackendDeviceGuard(Runtime& runtime, DeviceType type, Device device);
  /// Creates a virtual guard.
  BackendDeviceGuard(Runtime& runtime, Device device);
  ~BackendDeviceGuard();
  BackendDeviceGuard(const BackendDeviceGuard&) = delete;
  BackendDeviceGuard& operator=(const BackendDeviceGuard&) = delete;

  /// For static guards only. Index -1 has no effect; another type raises `internal` (GRD-003).
  void set_device(Device device);
  /// A virtual guard may switch to another type (GRD-005, GRD-006).
  void reset_device(Device device);
  /// Keeps the current type.
  void set_index(int index);

  Device original_device() const { return original_; }
  /// The last device that was set through this guard, even if another one is current now (GRD-007).
  Device current_device() const;
  Binding binding() const { return binding_; }
  GuardBackend& backend() const { return *backend_; }

 private:
  void enter(Device device);
  void change_type(Device device);

  Runtime& runtime_;
  Binding binding_;
  BackendRef backend_;
  Device original_;
  Device current_;
};

/// Initially empty (GRD-011). Not copyable or movable.
class OptionalDeviceGuard {
 public:
  /// A static guard for `type`; without a type, a virtual one.
  OptionalDeviceGuard(Runtime& runtime, std::optional<DeviceType> type,
                      std::optional<Device> device = {});
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  bool is_static() const { return type_.has_value(); }
  void set_device(Device device);
  void reset_device(Device device);
  /// For static guards only. -1 initializes the guard, too.
  void set_index(int index);
  /// Restores the device and empties the guard.
  void reset();

  std::optional<Device> original_device() const;
  std::optional<Device> current_device() const;

 private:
  void start(Device device);

  Runtime& runtime_;
  std::optional<DeviceType> type_;
  std::optional<BackendDeviceGuard> guard_;
};

}  // namespace assay::reference
