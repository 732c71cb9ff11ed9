// What the CUDA backend does with the events of the driver.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

class CudaEvents {
 public:
  explicit CudaEvents(Runtime& runtime) : runtime_(runtime) {}

  /// EVT-004 to EVT-007. Where it fails, `event` is as before; compat then leaves the stream's
  /// device current, and a new event behind (EVT-025).
  void record(EventHandle& event, const Stream& stream, const EventBefore& before);
  /// Nothing happens for 0.
  void block(EventHandle event, const Stream& stream);
  /// 0 is complete.
  bool query(EventHandle event);
  void synchronize(EventHandle event);
  /// Once, with its own device current; failures are warnings, if anything (EVT-022).
  void destroy(EventHandle event, int device_index, bool warns = true) noexcept;
  double elapsed_ms(EventHandle from, EventHandle to, int device_index);

 private:
  EventHandle create(int flag);

  Runtime& runtime_;
};

}  // namespace assay::reference
