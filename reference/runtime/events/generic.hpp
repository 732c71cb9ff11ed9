// An event of any type of device.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Empty, or recorded on a device (EVT-001). Moved, not copied; one thread at a time (EVT-031).
class Event {
 public:
  /// Raises `error` for a type without a backend (EVT-002). `flag` is a number of the release.
  Event(Runtime& runtime, DeviceType type, int flag);
  /// Destroys the backend's event, if there is one, exactly once (EVT-022).
  ~Event();
  /// What is left behind: EVT-023.
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream);
  void record_once(const Stream& stream);
  /// Later work in the stream waits for what was last recorded; nothing was: no call (EVT-011).
  void block(const Stream& stream) const;
  bool query() const;
  /// The host waits. Raises `not_implemented` in 1.13 (EVT-016).
  void synchronize() const;
  /// From this one to the other (EVT-018); `not_implemented` in 1.13.
  double elapsed_ms(const Event& other) const;

  bool was_recorded() const { return recorded_; }
  /// Index -1 while it was never recorded.
  Device device() const { return {type_, index_}; }
  EventHandle id() const { return handle_; }
  int flag() const { return flag_; }

 private:
  void check_elapsed(const Event& other) const;
  void check_elapsed_of_2_4(const Event& other) const;
  bool has_timing() const { return flag_ == EventFlag::kBackendDefault; }
  void swap(Event& other) noexcept;

  Runtime* runtime_;
  BackendRef backend_;
  DeviceType type_;
  int flag_;
  EventHandle handle_ = 0;
  int index_ = -1;
  bool recorded_ = false;
};

/// Where an event of that type is recorded, or waited for, when no stream is named: the current one
/// of the current device (EVT-008).
Stream stream_for_event(Runtime& runtime, DeviceType type);

/// `CUDA`
std::string upper_name_of(DeviceType type, Release release);

}  // namespace assay::reference
