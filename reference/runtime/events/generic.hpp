// The generic event for all device types.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Empty, or recorded on a device (EVT-001). Movable, not copyable. Not thread-safe (EVT-031).
class Event {
 public:
  /// Raises `error` for a type without a backend (EVT-002). `flag` is a number of the release.
  Event(Runtime& runtime, DeviceType type, int flag);
  /// Destroys the backend's event, if it exists, exactly once (EVT-022).
  ~Event();
  /// See EVT-023 for the state of the moved-from event.
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream);
  void record_once(const Stream& stream);
  /// Makes later work in the stream wait for the last record; if there is none, no call (EVT-011).
  void block(const Stream& stream) const;
  bool query() const;
  /// Blocks the host. Raises `not_implemented` in 1.13 (EVT-016).
  void synchronize() const;
  /// The time from this event to `other` (EVT-018). Raises `not_implemented` in 1.13.
  double elapsed_ms(const Event& other) const;

  bool was_recorded() const { return recorded_; }
  /// The index is -1 until the first record.
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

/// The default stream argument of record and wait: the current stream of the current device
/// (EVT-008).
Stream stream_for_event(Runtime& runtime, DeviceType type);

/// For example `CUDA`.
std::string upper_name_of(DeviceType type, Release release);

}  // namespace assay::reference
