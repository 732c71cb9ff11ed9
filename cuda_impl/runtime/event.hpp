// The generic event, for any device type (EVT-001 to EVT-025).
#pragma once

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Created by its first record. Not thread-safe (EVT-031). Moves behave as in the release, or as
/// the clauses demand (EVT-023, EVT-024).
class Event {
 public:
  /// Raises `error` for a type without a backend (EVT-002).
  Event(DeviceKind type, int flag);
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream);
  void record_once(const Stream& stream);
  /// Makes later work of the stream wait for the latest record; no effect if there is none.
  void block(const Stream& stream) const;
  bool query() const;
  void synchronize() const;
  /// Returns the milliseconds from this event to the other (EVT-018, EVT-019).
  double elapsed_ms(const Event& other) const;

  bool was_recorded() const { return was_recorded_; }
  /// The index is -1 before the first record.
  Device device() const { return {backend_->type(), state_.device}; }
  EventHandle id() const { return state_.handle; }
  int flag() const { return state_.flag; }

 private:
  void check_elapsed(const Event& other) const;
  void check_elapsed_of_2_4(const Event& other) const;
  void check_same_type(const Event& other) const;

  GuardBackend* backend_;
  EventState state_;
  bool was_recorded_ = false;
};

}  // namespace assay::cuda
