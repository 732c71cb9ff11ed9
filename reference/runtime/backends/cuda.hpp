// The CUDA backend and its driver events.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

class CudaEvents {
 public:
  explicit CudaEvents(Runtime& runtime) : runtime_(runtime) {}

  /// EVT-004 to EVT-007. If it fails, `event` is unchanged; in compat mode, the stream's device
  /// stays current and a new event is leaked (EVT-025).
  void record(EventHandle& event, const Stream& stream, const EventBefore& before);
  /// Ignores the null event 0.
  void block(EventHandle event, const Stream& stream);
  /// The null event 0 counts as complete.
  bool query(EventHandle event);
  void synchronize(EventHandle event);
  /// Call once. Makes the event's device current meanwhile; a failure at most warns (EVT-022).
  void destroy(EventHandle event, int device_index, bool warns = true) noexcept;
  double elapsed_ms(EventHandle from, EventHandle to, int device_index);

 private:
  EventHandle create(int flag);

  Runtime& runtime_;
};

BackendRef make_cuda_backend(Runtime& runtime);

}  // namespace assay::reference
