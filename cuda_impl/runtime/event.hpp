// The event of any type of device (EVT-001 to EVT-025).
#pragma once

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Made by its first record. No two threads may use one at a time (EVT-031). Moves are those of the
/// release, or of the clause (EVT-023, EVT-024).
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
  /// The stream's later work waits for the newest version; nothing happens where there is none.
  void block(const Stream& stream) const;
  bool query() const;
  void synchronize() const;
  /// Milliseconds from this one to the other (EVT-018, EVT-019).
  double elapsed_ms(const Event& other) const;

  bool was_recorded() const { return was_recorded_; }
  /// Index -1 until the first record.
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
