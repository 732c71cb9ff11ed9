// Submits the work of operators: to a stream of the device if a queue is installed, otherwise it
// runs at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// A position in a stream, after all work submitted so far.
class StreamMark {
 public:
  virtual ~StreamMark() = default;
};
using StreamMarkRef = std::shared_ptr<const StreamMark>;

/// The interface that orders work on devices.
class LaunchQueue {
 public:
  virtual ~LaunchQueue() = default;
  /// Submits `work` to the calling thread's current stream of the device (STR-030). `work` must own
  /// what it accesses.
  virtual void launch(Device device, std::string name, std::function<void()> work) = 0;
  /// Submits a copy. `is_pageable`: one side is host memory that is not pinned.
  virtual void copy(Device device, bool is_pageable, std::function<void()> work) = 0;
  /// The calling thread's current stream of the device.
  virtual Stream current(Device device) = 0;
  virtual StreamMarkRef mark(const Stream& stream) = 0;
  /// Makes later work of the stream wait for the work before the mark.
  virtual void hold_back(const Stream& stream, const StreamMark& mark) = 0;
  /// While the result lives, this stream and its device are current, and the other devices' default
  /// streams: as on a thread that has set nothing else.
  virtual std::shared_ptr<void> enter(const Stream& stream) = 0;
  /// Can kernels of `device` access memory of `peer`?
  virtual bool can_access_peer(Device device, Device peer) = 0;
  /// Blocks until the current stream of the device has finished its work.
  virtual void wait(Device device) = 0;
};

/// Runs `work` at once for the CPU, and for every device if there is no queue.
void launch(Runtime& runtime, Device device, std::string name, std::function<void()> work);
void launch_copy(Runtime& runtime, Device device, bool is_pageable, std::function<void()> work);
/// Makes the current stream of `waiting` wait for the present work of `awaited`'s current stream.
void join_streams(Runtime& runtime, Device waiting, Device awaited);
/// Can a kernel of `device` access memory of `peer`? (STR-038)
bool can_access_peer(Runtime& runtime, Device device, Device peer);
/// Null: work on the device runs at once.
LaunchQueue* queue_for(Runtime& runtime, Device device);
/// Call before the host reads device memory.
void wait_for_stream(Runtime& runtime, Device device);

/// Returns a view for submitted work: it shares the elements of a device tensor without keeping its
/// memory allocated, so the stream's later work may reuse the memory after the tensor is destroyed.
/// Tensors of other devices are returned unchanged.
Tensor borrowed(const Tensor& tensor);
/// Copies the present elements, for a copy that is executed later.
Tensor staged(const Tensor& tensor);
std::vector<Tensor> borrowed(const std::vector<Tensor>& tensors);

}  // namespace assay::reference
