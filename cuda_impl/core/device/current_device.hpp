// The calling thread's current CUDA device.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda {

/// The runtime's, or one that was only remembered. Raises `device`.
int current_device();
/// Makes a device current, without a call where it is. Raises `device` for one that is not there.
void set_current_device(int index);
/// The same, and the one before.
int exchange_current_device(int index);
/// For whoever restores a device: one without a context gets none, it is only remembered until
/// something needs it (GRD-009; not in 1.13).
cudaError_t restore_current_device(int index) noexcept;
/// Nothing is remembered on this thread.
void forget_remembered_device();

}  // namespace assay::cuda
