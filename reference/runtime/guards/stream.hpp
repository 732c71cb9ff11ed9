// Guards that make a stream and its device current and restore the previous ones.
#pragma once

#include <optional>
#include <vector>

#include "reference/runtime/guards/device.hpp"

namespace assay::reference {

/// GRD-012 to GRD-017. Uses virtual dispatch. Not copyable or movable. The destructor never raises.
class StreamGuard {
 public:
  /// Raises `error` for a device without an index (GRD-022), and the backend's errors; nothing has
  /// changed then (GRD-023).
  StreamGuard(Runtime& runtime, const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

  void reset_stream(const Stream& stream);

  Device original_device() const { return device_.original_device(); }
  Device current_device() const { return device_.current_device(); }
  /// The stream of the original device (GRD-013).
  Stream original_stream() const { return original_of_original_; }
  Stream current_stream() const { return current_; }

 private:
  void restore_stream() noexcept;

  Runtime& runtime_;
  BackendDeviceGuard device_;  ///< destroyed last, so the stream is restored before the device
  Stream original_of_original_;
  Stream original_of_current_;
  Stream current_;
};

/// Initially empty (GRD-018). Not copyable or movable.
class OptionalStreamGuard {
 public:
  explicit OptionalStreamGuard(Runtime& runtime, const std::optional<Stream>& stream = {});
  OptionalStreamGuard(const OptionalStreamGuard&) = delete;
  OptionalStreamGuard& operator=(const OptionalStreamGuard&) = delete;

  void reset_stream(const Stream& stream);
  void reset();
  /// Null if the guard is empty.
  const StreamGuard* guard() const { return guard_ ? &*guard_ : nullptr; }

 private:
  Runtime& runtime_;
  std::optional<StreamGuard> guard_;
};

/// Sets streams of several devices of one type; keeps the current device (GRD-019 to GRD-021).
class MultiStreamGuard {
 public:
  /// Raises `value` for mixed device types, before any change.
  MultiStreamGuard(Runtime& runtime, const std::vector<Stream>& streams);
  ~MultiStreamGuard();
  MultiStreamGuard(const MultiStreamGuard&) = delete;
  MultiStreamGuard& operator=(const MultiStreamGuard&) = delete;

 private:
  void restore() noexcept;

  Runtime& runtime_;
  BackendRef backend_;  ///< null for an empty list
  std::vector<Stream> originals_;
};

}  // namespace assay::reference
