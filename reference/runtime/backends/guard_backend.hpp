// The interface of a device type for guards, generic streams and generic events, and the registry
// of such backends.
#pragma once

#include <memory>

#include "reference/runtime/events/common.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// The state of an event before it is recorded.
struct EventBefore {
  int device_index = -1;  ///< the index of its previous record; -1: never recorded
  int flag = 0;           ///< a number of the release's `EventFlag`
};

/// One instance for each device type and runtime, shared by all threads. The default
/// implementations raise `error` and name the missing feature (GRD-026).
class GuardBackend {
 public:
  virtual ~GuardBackend() = default;

  virtual DeviceType type() const = 0;

  /// Makes the device current for the calling thread and returns the previous one.
  virtual Device exchange_device(Device device) = 0;
  virtual Device get_device() = 0;
  virtual void set_device(Device device) = 0;
  /// A failure becomes a warning.
  virtual void unchecked_set_device(Device device) noexcept = 0;
  /// The calling thread's current stream of the device.
  virtual Stream get_stream(Device device) = 0;
  /// Sets the current stream of its device and returns the previous one. Keeps the device.
  virtual Stream exchange_stream(const Stream& stream) = 0;
  virtual int device_count() noexcept = 0;

  /// Makes the stream current on its device.
  virtual void set_stream(const Stream& stream) { exchange_stream(stream); }

  virtual Stream default_stream(Device device);
  virtual Stream pool_stream(Device device, bool is_high);
  virtual Stream new_stream(Device device, int priority);

  /// Creates the event if it is 0.
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

/// Raises `internal` if the device is not of the backend's type.
void check_type(const GuardBackend& backend, Device device);

/// Never raises. Thread-safe.
bool has_backend(Runtime& runtime, DeviceType type) noexcept;

/// Raises `error` for a type without a backend (STR-007, GRD-025).
BackendRef backend_of(Runtime& runtime, DeviceType type);

/// Replaces the backend of its type until the next reset.
void register_backend(Runtime& runtime, BackendRef backend);

}  // namespace assay::reference
