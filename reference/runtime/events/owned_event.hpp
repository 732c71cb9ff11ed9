// A driver event with RAII ownership.
#pragma once

#include <utility>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Has no timing and belongs to the device that is current at its construction. Move-only.
class OwnedEvent {
 public:
  explicit OwnedEvent(Runtime& runtime);
  OwnedEvent(OwnedEvent&& other) noexcept
      : runtime_(other.runtime_), handle_(std::exchange(other.handle_, 0)) {}
  OwnedEvent& operator=(OwnedEvent&&) = delete;
  ~OwnedEvent();

  EventHandle handle() const { return handle_; }
  /// Records behind the stream's present work. Raises `device`.
  void record(StreamHandle stream);
  /// Transfers ownership to the caller.
  EventHandle release() { return std::exchange(handle_, 0); }

 private:
  Runtime& runtime_;
  EventHandle handle_ = 0;
};

}  // namespace assay::reference
