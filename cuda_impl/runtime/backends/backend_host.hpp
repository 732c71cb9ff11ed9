// The backend of device types without streams: CPU and meta (GRD-024).
#pragma once

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Guards have no effect, and all work is always complete.
class HostBackend final : public GuardBackend {
 public:
  using GuardBackend::GuardBackend;

  Device exchange_device(Device) override { return only_one(); }
  Device get_device() override { return only_one(); }
  void set_device(Device) override {}
  void unchecked_set_device(Device) noexcept override {}
  Stream get_stream(Device) override { return {only_one(), 0}; }
  Stream exchange_stream(const Stream&) override { return {only_one(), 0}; }
  Stream default_stream(Device) override { return {only_one(), 0}; }
  int device_count() override { return 1; }

  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  bool query_stream(const Stream&) override { return true; }
  void synchronize_stream(const Stream&) override {}
  void synchronize_device(int) override {}

 private:
  Device only_one() const { return {type(), -1}; }
  [[noreturn]] void refuse_events() const;
};

}  // namespace assay::cuda
