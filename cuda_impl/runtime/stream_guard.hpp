// Guards of current streams (GRD-012 to GRD-023).
#pragma once

#include <optional>
#include <vector>

#include "cuda_impl/runtime/device_guard.hpp"

namespace assay::cuda {

/// Makes a stream current on its device, and that device current, for as long as it lives.
class StreamGuard {
 public:
  /// Raises `error` for a stream without an index (GRD-022).
  explicit StreamGuard(const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

  /// What was current on the guarded device comes back first, where the new stream is on another
  /// one.
  void reset_stream(const Stream& stream);

  /// Current on the original device when the guard was made (GRD-013).
  Stream original_stream() const { return original_; }
  Stream current_stream() const { return current_; }
  Device original_device() const { return device_.original_device(); }
  Device current_device() const { return device_.current_device(); }

 private:
  DeviceGuard device_;
  GuardBackend* backend_;
  Stream original_;
  Stream restored_;  ///< at the end, on the guarded device
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

/// Several devices of one type at once; the current device stays.
class MultiStreamGuard {
 public:
  /// Raises `value` for streams of several types. Where one cannot be set those before it are put
  /// back.
  explicit MultiStreamGuard(const std::vector<Stream>& streams);
  ~MultiStreamGuard();
  MultiStreamGuard(const MultiStreamGuard&) = delete;
  MultiStreamGuard& operator=(const MultiStreamGuard&) = delete;

 private:
  void restore() noexcept;

  GuardBackend* backend_ = nullptr;  ///< null for no streams
  std::vector<Stream> before_;
};

}  // namespace assay::cuda
