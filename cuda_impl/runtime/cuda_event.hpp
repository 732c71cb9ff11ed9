// The event of CUDA's own interface (EVT-001 to EVT-030).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// PyTorch's own mark among the driver's flags: an event whose records are nodes of a graph
/// (EVT-030). The driver does not see it.
inline constexpr unsigned kExternalEvent = 8;

/// Made by its first record, or when it is handed to another process. No two threads may use one at
/// a time.
class CudaEvent {
 public:
  explicit CudaEvent(unsigned flags = cudaEventDisableTiming);
  /// EVT-029: of another process. Raises `error` for bytes of another length, or a device of
  /// another type.
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
  /// From this event to `other`.
  float elapsed_ms(const CudaEvent& other) const;
  /// Makes the event where it is not yet made, on the current device.
  std::string ipc_bytes();

  bool is_created() const { return handle_ != nullptr; }
  bool was_recorded() const { return was_recorded_; }
  /// Nothing until it is made.
  std::optional<Device> device() const;
  cudaEvent_t id() const { return handle_; }
  unsigned flags() const { return flags_; }
  /// By handles: those that are not made are all the same (EVT-026).
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
