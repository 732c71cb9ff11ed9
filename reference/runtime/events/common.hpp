// What all events share: the flags of generic ones, checks of operations, and driver events with
// RAII ownership.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/error.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// The numbers of a release (EVT-003).
struct EventFlag {
  static constexpr int kPytorchDefault = 0;  ///< no timing
  static constexpr int kBackendDefault = 1;  ///< timing enabled
  static int invalid(Release release) { return release == Release::k1_13 ? 6 : 2; }
};

/// Parses `pytorch_default`, `backend_default` or `invalid`.
std::optional<int> event_flag_named(std::string_view name, Release release);
/// Empty for an unknown flag.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// Converts to driver flags. Raises `error` for an unknown flag.
unsigned cuda_event_flags(int flag, Release release);

// Checks of event operations; each raises if its condition does not hold.

/// Formats an index for messages (EVT-005).
std::string index_text(const Contract& contract, int index);

/// An event must stay on the device of its first record; -1: not recorded yet (EVT-005).
void check_event_index(const Contract& contract, int before, int now);

void check_timing(bool holds);
void check_recorded(bool holds, ErrorKind kind);
/// Strict mode only (EVT-020).
void check_one_device(const Contract& contract, int from, int to);
void check_complete(bool holds);

/// Has no timing and belongs to the device that is current at its construction. Move-only.
class OwnedEvent {
 public:
  explicit OwnedEvent(Runtime& runtime);
  OwnedEvent(OwnedEvent&& other) noexcept
      : runtime_(other.runtime_), handle_(std::exchange(other.handle_, 0)) {}
  OwnedEvent& operator=(OwnedEvent&&) = delete;
  ~OwnedEvent();

  EventHandle handle() const { return handle_; }
  /// Records behind the stream's present work. Raises `device`.
  void record(StreamHandle stream);
  /// Transfers ownership to the caller.
  EventHandle release() { return std::exchange(handle_, 0); }

 private:
  Runtime& runtime_;
  EventHandle handle_ = 0;
};

}  // namespace assay::reference
