// Where the work of operators goes: into a stream of the device, once the area of streams has taken
// the devices over; at once until then.
#pragma once

#include <functional>
#include <string>

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Whoever orders the work of devices.
class LaunchQueue {
 public:
  virtual ~LaunchQueue() = default;
  /// Puts the work into the calling thread's current stream of the device (STR-030). `work` owns
  /// what it touches.
  virtual void launch(Device device, std::string name, std::function<void()> work) = 0;
  /// Returns once everything in that stream is complete.
  virtual void wait(Device device) = 0;
};

/// On the CPU, and where no queue is, `work` runs at once.
void launch(Runtime& runtime, Device device, std::string name, std::function<void()> work);
/// Before the host reads what lies on the device.
void wait_for_stream(Runtime& runtime, Device device);

}  // namespace assay::reference
