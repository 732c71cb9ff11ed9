// CUDA events with driver flags, also of other processes.
#pragma once

#include <optional>
#include <string>

#include "reference/runtime/backends/cuda.hpp"

namespace assay::reference {

/// A PyTorch flag that is removed before the driver call (EVT-027, EVT-030).
inline constexpr unsigned kExternalEvent = 8;

/// Empty, created, or recorded (EVT-001). Movable, not copyable. Not thread-safe (EVT-031).
class CudaEvent {
 public:
  explicit CudaEvent(Runtime& runtime, unsigned flags = 2);
  /// Opens another process's handle: created but not recorded. Raises `device` (EVT-029).
  static CudaEvent from_ipc(Runtime& runtime, int device_index, const std::string& handle);
  ~CudaEvent();
  /// The moved-from event becomes a default event without its flags (EVT-023).
  CudaEvent(CudaEvent&& other) noexcept;
  CudaEvent& operator=(CudaEvent&& other) noexcept;
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record(const Stream& stream);
  void record_once(const Stream& stream);
  void block(const Stream& stream) const;
  bool query() const;
  void synchronize() const;
  /// Returns the milliseconds from this event to `other`.
  float elapsed_ms(const CudaEvent& other) const;
  /// Returns 64 bytes. Creates the event on the current device if necessary, without recording it.
  std::string ipc_handle();

  bool is_created() const { return created_; }
  bool was_recorded() const { return recorded_; }
  /// Empty until the event is created.
  std::optional<Device> device() const;
  EventHandle id() const { return handle_; }
  /// The driver's flags, plus kExternalEvent for an external event.
  unsigned flags() const { return flags_ | (external_ ? kExternalEvent : 0); }

  /// Compares handles; empty events are equal (EVT-026).
  bool operator<(const CudaEvent& other) const;

 private:
  void create(int device_index);
  bool is_external_in(const Stream& stream) const;
  void forget() noexcept;
  void swap(CudaEvent& other) noexcept;
  bool has_timing() const { return (flags_ & 2) == 0; }

  Runtime* runtime_;
  unsigned flags_;
  bool created_ = false;
  bool recorded_ = false;
  bool external_ = false;
  int index_ = -1;
  EventHandle handle_ = 0;
};

/// Raises `error` for a wrong length and for a device that is not a CUDA device.
CudaEvent event_from_ipc(Runtime& runtime, Device device, const std::string& handle);

std::string to_digits(const std::string& bytes);
/// Empty unless the text consists of pairs of hexadecimal digits.
std::optional<std::string> from_digits(const std::string& digits);

}  // namespace assay::reference
