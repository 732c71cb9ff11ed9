// Guards of the current device (GRD-001 to GRD-011) and of current streams (GRD-012 to GRD-023).
#pragma once

#include <optional>
#include <vector>

#include "cuda_impl/runtime/backends/backends.hpp"

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

/// Makes a stream and its device current for the scope.
class StreamGuard {
 public:
  /// Raises `error` for a stream without a device index (GRD-022).
  explicit StreamGuard(const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

  /// If the new stream is on another device, first
  /// restores the stream of the guarded device.
  void reset_stream(const Stream& stream);

  /// The original device's current stream at construction (GRD-013).
  Stream original_stream() const { return original_; }
  Stream current_stream() const { return current_; }
  Device original_device() const { return device_.original_device(); }
  Device current_device() const { return device_.current_device(); }

 private:
  DeviceGuard device_;
  GuardBackend* backend_;
  Stream original_;
  Stream restored_;  ///< restored at the end, on the guarded device
  Stream current_;
};

class OptionalStreamGuard {
 public:
  explicit OptionalStreamGuard(std::optional<Stream> stream);
  OptionalStreamGuard(const OptionalStreamGuard&) = delete;
  OptionalStreamGuard& operator=(const OptionalStreamGuard&) = delete;

  void reset_stream(const Stream& stream);
  void reset();
  const std::optional<StreamGuard>& guard() const { return guard_; }

 private:
  std::optional<StreamGuard> guard_;
};

/// Sets streams on several devices of one type; does not change the current device.
class MultiStreamGuard {
 public:
  /// Raises `value` for streams of different device types. If one cannot be set, restores those
  /// before it.
  explicit MultiStreamGuard(const std::vector<Stream>& streams);
  ~MultiStreamGuard();
  MultiStreamGuard(const MultiStreamGuard&) = delete;
  MultiStreamGuard& operator=(const MultiStreamGuard&) = delete;

 private:
  void restore() noexcept;

  GuardBackend* backend_ = nullptr;  ///< null if there are no streams
  std::vector<Stream> before_;
};

}  // namespace assay::cuda
