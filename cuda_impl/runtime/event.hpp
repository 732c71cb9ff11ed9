// The generic event, for any device type (EVT-001 to EVT-025); flags of events and their names
// (EVT-003), checks and their error messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"

namespace assay::cuda {

/// `CUDA`, `HIP`: the spelling in messages.
std::string upper_name(DeviceKind type);
/// EVT-005: as a number; in PyTorch, as a character, so that 0 terminates the message.
std::string shown_index(int index);
/// EVT-020: strict contract only. Raises `value` for events of different devices.
void require_one_device(int from, int to);

inline constexpr const char* kBothTimed =
    "Both events must be created with argument 'enable_timing=True'.";
inline constexpr const char* kBothRecorded =
    "Both events must be recorded before calculating elapsed time.";
inline constexpr const char* kBothComplete =
    "Both events must be completed before calculating elapsed time.";

/// Enumerators. Releases after 1.13 have only these two and an invalid one.
inline constexpr int kPytorchDefault = 0;
inline constexpr int kBackendDefault = 1;

std::optional<int> event_flag_named(std::string_view name, Release release);
/// Empty for a number without a name.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// Whether events with this flag support timing.
bool takes_time(int flag, Release release);
/// Converts to CUDA event flags. Raises `error` for a flag that CUDA does not support.
unsigned driver_flags_of(int flag, Release release);

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
