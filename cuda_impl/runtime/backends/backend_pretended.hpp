// Fake backends without hardware, for tests of guards and events (GRD-026, GRD-027).
#pragma once

#include <cstdint>
#include <string>

#include "cuda_impl/runtime/backends/backends.hpp"

namespace assay::cuda {

/// Keeps a current device and current streams for each thread; supports nothing else.
class BareBackend : public GuardBackend {
 public:
  BareBackend(DeviceKind type, int devices);

  Device exchange_device(Device device) override;
  Device get_device() override;
  /// Raises `internal` for another device type or an invalid index.
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;
  int device_count() override { return devices_; }

 protected:
  /// The calling thread's current device and streams.
  struct ThreadState;
  ThreadState& thread_state();
  void check(Device device) const;

 private:
  int devices_;
  std::uint64_t serial_;  ///< unique among all backends of the process
};

/// GRD-027: adds events that are always complete.
class FakeBackend : public BareBackend {
 public:
  using BareBackend::BareBackend;

  Stream default_stream(Device device) override;
  Stream pool_stream(Device device, bool is_high) override;
  Stream new_stream(Device device, int priority) override;
  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void synchronize_event(EventHandle event) override;
  double elapsed_ms(EventHandle from, EventHandle to, int device) override;
  bool query_stream(const Stream& stream) override;
  void synchronize_stream(const Stream& stream) override;
  void synchronize_device(int device) override;
};

/// Also logs every call.
class LoggingBackend final : public FakeBackend {
 public:
  using FakeBackend::FakeBackend;

  Device exchange_device(Device device) override;
  Device get_device() override;
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;
  EventHandle record(const EventState& event, const Stream& stream) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void synchronize_event(EventHandle event) override;
  void destroy_event(EventHandle event, int device) noexcept override;
  bool query_stream(const Stream& stream) override;
  void synchronize_stream(const Stream& stream) override;
  void synchronize_device(int device) override;

 private:
  void write_log(const std::string& call) const;
};

}  // namespace assay::cuda
