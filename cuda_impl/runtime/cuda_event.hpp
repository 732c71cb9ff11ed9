// The event class of the CUDA interface, like torch.cuda.Event (EVT-001 to EVT-030), and CUDA event
// calls that select the right device and report to traces.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// Creates an event on the current device. Raises `device`.
cudaEvent_t create_driver_event(unsigned flags);
/// The stream's device must be current.
void record_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// Makes the stream wait. Sets the stream's device for the call.
void block_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// Returns false for cudaErrorNotReady (600) and clears that error (FLT-007).
bool query_driver_event(cudaEvent_t event);
/// Waits, subject to the sync debug mode.
void synchronize_driver_event(cudaEvent_t event);
/// Sets the event's device for the call. A failure becomes a warning, or is ignored if `is_silent`
/// (releases that do not warn: EVT-022).
void destroy_driver_event(cudaEvent_t event, int device, bool is_silent) noexcept;
/// EVT-019
float elapsed_of_driver(cudaEvent_t from, cudaEvent_t to, int device);

/// An additional flag, not passed to cudaEventCreate: captured records become external event nodes
/// of the graph (EVT-030).
inline constexpr unsigned kExternalEvent = 8;

/// Created lazily, by the first record
/// or an IPC export. Not thread-safe.
class CudaEvent {
 public:
  explicit CudaEvent(unsigned flags = cudaEventDisableTiming);
  /// EVT-029: opens an event of another process. Raises `error` for a wrong number of bytes or
  /// another device type.
  CudaEvent(Device device, const std::string& ipc_bytes);
  ~CudaEvent();
  CudaEvent(CudaEvent&& other) noexcept;
  CudaEvent& operator=(CudaEvent&& other) noexcept;
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record(const Stream& stream);
  void record_once(const Stream& stream);
  void block(const Stream& stream) const;
  bool query() const;
  void synchronize() const;
  /// Returns the time from this event to `other`.
  float elapsed_ms(const CudaEvent& other) const;
  /// Creates the event on the current device if necessary.
  std::string ipc_bytes();

  bool is_created() const { return handle_ != nullptr; }
  bool was_recorded() const { return was_recorded_; }
  /// Empty until the event is created.
  std::optional<Device> device() const;
  cudaEvent_t id() const { return handle_; }
  unsigned flags() const { return flags_; }
  /// Compares handles; all events that have not been created are equal (EVT-026).
  bool operator<(const CudaEvent& other) const;

 private:
  void check_elapsed(const CudaEvent& other) const;
  void record_first(const Stream& stream, int device);
  void destroy() noexcept;
  void swap_with(CudaEvent& other) noexcept;

  unsigned flags_ = cudaEventDisableTiming;
  bool is_external_ = false;
  bool was_recorded_ = false;
  int device_ = -1;
  cudaEvent_t handle_ = nullptr;
};

}  // namespace assay::cuda
