// Guards of current streams (GRD-012 to GRD-023).
#pragma once

#include <optional>
#include <vector>

#include "cuda_impl/runtime/device_guard.hpp"

namespace assay::cuda {

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
