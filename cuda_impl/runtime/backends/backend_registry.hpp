// The registry of backends by device type (GRD-025).
#pragma once

#include <memory>

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Thread-safe. CPU and meta are always registered; CUDA only if the process stands for a CUDA
/// build. Raises `error` for a type without a backend.
GuardBackend& backend_of(DeviceKind type);
bool has_backend(DeviceKind type) noexcept;
/// Replaces the previous backend, which stays alive for its users.
void register_backend(std::unique_ptr<GuardBackend> backend);
/// Restores the initial registry. `has_cuda`: whether the process stands for a CUDA build.
void reset_backends(bool has_cuda);

}  // namespace assay::cuda
