// Where the work of operators goes: into a stream of the device, once the area of streams has taken
// the devices over; at once until then.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Whoever orders the work of devices.
class LaunchQueue {
 public:
  virtual ~LaunchQueue() = default;
  /// Puts the work into the calling thread's current stream of the device (STR-030). `work` owns
  /// what it touches.
  virtual void launch(Device device, std::string name, std::function<void()> work) = 0;
  /// The same for a copy. `is_pageable`: host memory that no device reads by itself takes part.
  virtual void copy(Device device, bool is_pageable, std::function<void()> work) = 0;
  /// That stream of `waiting` waits for what is in that stream of `awaited` now.
  virtual void join(Device waiting, Device awaited) = 0;
  /// Returns once everything in that stream is complete.
  virtual void wait(Device device) = 0;
};

/// On the CPU, and where no queue is, `work` runs at once.
void launch(Runtime& runtime, Device device, std::string name, std::function<void()> work);
void launch_copy(Runtime& runtime, Device device, bool is_pageable, std::function<void()> work);
void join_streams(Runtime& runtime, Device waiting, Device awaited);
/// Before the host reads what lies on the device.
void wait_for_stream(Runtime& runtime, Device device);

/// What work that is launched may keep of a tensor on a device: its elements as they lie now, but
/// not its memory, which is free for the stream's next work once the tensor dies. Other tensors
/// as they are.
Tensor borrowed(const Tensor& tensor);
/// The elements as they are now, for a copy that happens later.
Tensor staged(const Tensor& tensor);
std::vector<Tensor> borrowed(const std::vector<Tensor>& tensors);

}  // namespace assay::reference
