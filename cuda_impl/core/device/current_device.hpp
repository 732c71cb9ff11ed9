// The calling thread's current CUDA device.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda {

/// Returns the runtime's current device, or the deferred one. Raises `device`.
int current_device();
/// Makes a device current; no call if it already is. Raises `device` for an unknown index.
void set_current_device(int index);
/// Like `set_current_device`; returns the previous device.
int exchange_current_device(int index);
/// Restores a previous device. To avoid creating a context, a device that has none is only
/// recorded, and set by the next call that needs it (GRD-009; not in 1.13).
cudaError_t restore_current_device(int index) noexcept;
/// Discards the calling thread's deferred device.
void forget_remembered_device();

}  // namespace assay::cuda
