// An event of the driver's that is destroyed with its owner, whatever happens on the way.
#pragma once

#include <utility>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Without timing, of the device that is current when it is made. Move only.
class OwnedEvent {
 public:
  explicit OwnedEvent(Runtime& runtime);
  OwnedEvent(OwnedEvent&& other) noexcept
      : runtime_(other.runtime_), handle_(std::exchange(other.handle_, 0)) {}
  OwnedEvent& operator=(OwnedEvent&&) = delete;
  ~OwnedEvent();

  EventHandle handle() const { return handle_; }
  /// At the stream's present end. Raises `device`.
  void record(StreamHandle stream);
  /// The caller destroys it.
  EventHandle release() { return std::exchange(handle_, 0); }

 private:
  Runtime& runtime_;
  EventHandle handle_ = 0;
};

}  // namespace assay::reference
