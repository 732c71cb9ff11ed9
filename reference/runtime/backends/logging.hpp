// A backend for tests that supports everything and logs each call.
#pragma once

#include <atomic>
#include <string>

#include "reference/runtime/backends/fake.hpp"

namespace assay::reference {

class LoggingBackend final : public BareBackend {
 public:
  using BareBackend::BareBackend;

  Device exchange_device(Device device) override;
  Device get_device() override;
  void set_device(Device device) override;
  void unchecked_set_device(Device device) noexcept override;
  Stream get_stream(Device device) override;
  Stream exchange_stream(const Stream& stream) override;

  Stream default_stream(Device device) override;
  Stream pool_stream(Device device, bool is_high) override;
  Stream new_stream(Device device, int priority) override;

  void record(EventHandle& event, const Stream& stream, const EventBefore& before) override;
  void block(EventHandle event, const Stream& stream) override;
  bool query_event(EventHandle event) override;
  void sync_event(EventHandle event) override;
  void destroy_event(EventHandle event, int device_index) noexcept override;
  double elapsed_ms(EventHandle from, EventHandle to, int device_index) override;

  bool query_stream(const Stream& stream) override;
  void sync_stream(const Stream& stream) override;
  void sync_device(int index) override;

 private:
  void log(const std::string& text);

  std::atomic<EventHandle> last_event_ = 0;
  std::atomic<std::int64_t> last_stream_ = 0;
};

}  // namespace assay::reference
