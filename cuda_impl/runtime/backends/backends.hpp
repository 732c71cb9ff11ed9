// The interface that guards and generic events use; one implementation for each device type, and
// their registry (GRD-025).
#pragma once

#include <memory>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// An event of the backend; opaque to its users.
using EventHandle = void*;

/// An event that is about to be recorded.
struct EventState {
  EventHandle handle = nullptr;
  int device = -1;  ///< index of the last record; -1: never recorded
  int flag = 0;
};

/// Defaults raise `error` for unsupported features (GRD-026). Callers do not check indices.
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

  /// Like exchange_stream, without querying the previous stream.
  virtual void set_stream(const Stream& stream) { exchange_stream(stream); }
  virtual Stream default_stream(Device device);
  virtual Stream pool_stream(Device device, bool is_high);
  virtual Stream new_stream(Device device, int priority);

  /// Creates the event if it has no handle. If it raises, the event is unchanged.
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

/// Thread-safe. CPU and meta are always registered; CUDA only if the process stands for a CUDA
/// build. Raises `error` for a type without a backend.
GuardBackend& backend_of(DeviceKind type);
bool has_backend(DeviceKind type) noexcept;
/// Replaces the previous backend, which stays alive for its users.
void register_backend(std::unique_ptr<GuardBackend> backend);
/// Restores the initial registry. `has_cuda`: whether the process stands for a CUDA build.
void reset_backends(bool has_cuda);

}  // namespace assay::cuda
