// What a type of device must offer so that guards, generic streams and generic events work on it.
#pragma once

#include <memory>

#include "reference/runtime/events/flag.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// What a backend is told of an event that it records.
struct EventBefore {
  int device_index = -1;  ///< which it was recorded on before; -1: never
  int flag = 0;           ///< a number of the release: `EventFlag`
};

/// One for all threads of a runtime, per device type. The bodies that are here are those of a
/// backend that lacks the ability: they raise `error` and say what is missing (GRD-026).
class GuardBackend {
 public:
  virtual ~GuardBackend() = default;

  virtual DeviceType type() const = 0;

  /// Makes the device current for the calling thread, and returns the one before.
  virtual Device exchange_device(Device device) = 0;
  virtual Device get_device() = 0;
  virtual void set_device(Device device) = 0;
  /// A failure is a warning.
  virtual void unchecked_set_device(Device device) noexcept = 0;
  /// The calling thread's.
  virtual Stream get_stream(Device device) = 0;
  /// Makes the stream current on its device, and returns the one before. The device stays.
  virtual Stream exchange_stream(const Stream& stream) = 0;
  virtual int device_count() noexcept = 0;

  /// Makes the stream current on its device.
  virtual void set_stream(const Stream& stream) { exchange_stream(stream); }

  virtual Stream default_stream(Device device);
  virtual Stream pool_stream(Device device, bool is_high);
  virtual Stream new_stream(Device device, int priority);

  /// Makes the event if it is 0.
  virtual void record(EventHandle& event, const Stream& stream, const EventBefore& before);
  virtual void block(EventHandle event, const Stream& stream);
  virtual bool query_event(EventHandle event);
  virtual void sync_event(EventHandle event);
  virtual void destroy_event(EventHandle event, int device_index) noexcept;
  virtual double elapsed_ms(EventHandle from, EventHandle to, int device_index);

  virtual bool query_stream(const Stream& stream);
  virtual void sync_stream(const Stream& stream);
  virtual void sync_device(int index);
};

using BackendRef = std::shared_ptr<GuardBackend>;

/// For a backend that must not be given another type's device. Raises `internal`.
void check_type(const GuardBackend& backend, Device device);

}  // namespace assay::reference
