// Makes a device current, and the one before it again.
#pragma once

#include <optional>

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Static: for one type only. Virtual: looks the backend of the device up, also when it is reset to
/// another type (GRD-010).
enum class Binding { kStatic, kVirtual };

/// GRD-001 to GRD-010. Neither copied nor moved. Destruction never raises.
class BackendDeviceGuard {
 public:
  /// Static for `type`. Raises `internal` for a device of another, and what the backend raises;
  /// then nothing has changed.
  BackendDeviceGuard(Runtime& runtime, DeviceType type, Device device);
  /// Virtual.
  BackendDeviceGuard(Runtime& runtime, Device device);
  ~BackendDeviceGuard();
  BackendDeviceGuard(const BackendDeviceGuard&) = delete;
  BackendDeviceGuard& operator=(const BackendDeviceGuard&) = delete;

  /// Only of a static guard. Index -1 does nothing; another type raises `internal` (GRD-003).
  void set_device(Device device);
  /// A virtual guard may go to another type: GRD-005, GRD-006.
  void reset_device(Device device);
  /// Of the type that is current.
  void set_index(int index);

  Device original_device() const { return original_; }
  /// The last one set through this guard, whatever is current by now (GRD-007).
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

/// Empty until first set (GRD-011). Neither copied nor moved.
class OptionalDeviceGuard {
 public:
  /// Static for that type, or virtual without one.
  OptionalDeviceGuard(Runtime& runtime, std::optional<DeviceType> type,
                      std::optional<Device> device = {});
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  bool is_static() const { return type_.has_value(); }
  void set_device(Device device);
  void reset_device(Device device);
  /// Only of a static one. -1 makes it set all the same.
  void set_index(int index);
  /// Restores, and is empty again.
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
