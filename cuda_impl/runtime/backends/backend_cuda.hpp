// The CUDA backend: device guards, streams and generic events on top of the CUDA runtime.
#pragma once

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

class CudaBackend final : public GuardBackend {
 public:
  CudaBackend() : GuardBackend(DeviceKind::kCuda) {}

  Device exchange_device(Device device) override;
  Device get_device() override;
  /// Raises `error` for a negative index (FLT-009).
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;
  void set_stream(const Stream& stream) override;
  int device_count() override;
  Stream default_stream(Device device) override;
  Stream pool_stream(Device device, bool is_high) override;
  Stream new_stream(Device device, int priority) override;

  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void synchronize_event(EventHandle event) override;
  void destroy_event(EventHandle event, int device) noexcept override;
  double elapsed_ms(EventHandle from, EventHandle to, int device) override;

  bool query_stream(const Stream& stream) override;
  void synchronize_stream(const Stream& stream) override;
  void synchronize_device(int device) override;
};

}  // namespace assay::cuda
