// The number of CUDA devices, and the current one.
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Never raises: returns 0 if there is no driver or device, and, with one warning, for other
/// errors. The result is cached (GRD-028).
int cuda_device_count(Runtime& runtime);
/// Queries the driver again, and raises `error` if there is no device.
int cuda_device_count_ensured(Runtime& runtime);

/// The calling thread's current device.
int cuda_current_device(Runtime& runtime);
/// Raises `error` for a negative index and `device` for one that does not exist (FLT-009).
void cuda_set_device(Runtime& runtime, int index);
/// Returns the previous device.
int cuda_exchange_device(Runtime& runtime, int index);
/// For destructors: a failure becomes a warning. Since 2.1, a device without a context gets none:
/// its index is only recorded (GRD-009).
void cuda_restore_device(Runtime& runtime, int index) noexcept;
/// For destructors: makes the device current and returns the previous one. On failure it warns and
/// returns empty.
std::optional<int> cuda_visit_device(Runtime& runtime, int index) noexcept;
/// Sets a recorded device in the driver.
void cuda_make_current(Runtime& runtime);

/// -1 selects the current device. Raises for an invalid index (STR-018).
int checked_cuda_index(Runtime& runtime, int index);

/// Makes the device current for the scope.
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

/// Can kernels of `device` access memory of `peer`? Raises `assertion` for an unknown index, and
/// `value` for a device that is not CUDA's, or a peer without an index (STR-038).
bool cuda_can_access_peer(Runtime& runtime, Device device, Device peer);

/// Waits for all streams of the device; -1 is the current device (STR-034).
void cuda_synchronize_device(Runtime& runtime, int index);

}  // namespace assay::reference
