// Which CUDA device is current, how many there are, and going to one and back.
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Never raises: 0 where there is no driver, no device, or an error, which becomes one warning.
/// Asked once and then remembered (GRD-028).
int cuda_device_count(Runtime& runtime);
/// Asks again, and raises `error` when there is none.
int cuda_device_count_ensured(Runtime& runtime);

/// The calling thread's.
int cuda_current_device(Runtime& runtime);
/// Raises `error` for a negative index, `device` for one that does not exist (FLT-009).
void cuda_set_device(Runtime& runtime, int index);
/// Returns the one before.
int cuda_exchange_device(Runtime& runtime, int index);
/// For destructors: a failure is a warning, and a device that has no context gets none: since 2.1
/// the index is only remembered (GRD-009).
void cuda_restore_device(Runtime& runtime, int index) noexcept;
/// For destructors: makes the device current and returns the one before; nothing, and a warning,
/// where that fails.
std::optional<int> cuda_visit_device(Runtime& runtime, int index) noexcept;
/// Makes a device that is only remembered the driver's current one.
void cuda_make_current(Runtime& runtime);

/// -1 is the current device. Raises for an index that no device has (STR-018).
int checked_cuda_index(Runtime& runtime, int index);

/// Inside it the device is current.
class OnCudaDevice {
 public:
  OnCudaDevice(Runtime& runtime, int index);
  ~OnCudaDevice() { cuda_restore_device(runtime_, before_); }
  OnCudaDevice(const OnCudaDevice&) = delete;
  OnCudaDevice& operator=(const OnCudaDevice&) = delete;

 private:
  Runtime& runtime_;
  int before_;
};

/// Waits for all streams of the device, -1 for the current one (STR-034).
void cuda_synchronize_device(Runtime& runtime, int index);

}  // namespace assay::reference
