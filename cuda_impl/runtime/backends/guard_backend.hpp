// What guards and generic events need of a type of device; one backend a type.
#pragma once

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// An event of the backend, for it alone to look into.
using EventHandle = void*;

/// Of an event that is to be recorded.
struct EventState {
  EventHandle handle = nullptr;
  int device = -1;  ///< the index that it was recorded on; -1: never
  int flag = 0;
};

/// Raises `error` for what a device type does not have (GRD-026). Indices are as callers give them.
class GuardBackend {
 public:
  explicit GuardBackend(DeviceKind type) : type_(type) {}
  virtual ~GuardBackend() = default;
  GuardBackend(const GuardBackend&) = delete;
  GuardBackend& operator=(const GuardBackend&) = delete;

  DeviceKind type() const { return type_; }

  virtual Device exchange_device(Device device) = 0;
  virtual Device get_device() = 0;
  virtual void set_device(Device device) = 0;
  /// For destructors: a failure becomes a warning.
  virtual void unchecked_set_device(Device device) noexcept = 0;
  virtual Stream get_stream(Device device) = 0;
  virtual Stream exchange_stream(const Stream& stream) = 0;
  virtual int device_count() = 0;

  /// Without asking for the one before.
  virtual void set_stream(const Stream& stream) { exchange_stream(stream); }
  virtual Stream default_stream(Device device);
  virtual Stream pool_stream(Device device, bool is_high);
  virtual Stream new_stream(Device device, int priority);

  /// Makes the event where it has no handle yet. When it raises the event is as it was.
  virtual EventHandle record(const EventState& event, const Stream& stream);
  virtual void block(EventHandle event, const Stream& stream);
  virtual bool query_event(EventHandle event);
  virtual void synchronize_event(EventHandle event);
  virtual void destroy_event(EventHandle event, int device) noexcept;
  virtual double elapsed_ms(EventHandle from, EventHandle to, int device);

  virtual bool query_stream(const Stream& stream);
  virtual void synchronize_stream(const Stream& stream);
  virtual void synchronize_device(int device);

 private:
  DeviceKind type_;
};

}  // namespace assay::cuda
