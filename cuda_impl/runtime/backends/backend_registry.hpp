// Which device types have a backend (GRD-025).
#pragma once

#include <memory>

#include "cuda_impl/runtime/backends/guard_backend.hpp"

namespace assay::cuda {

/// Read from any thread. CPU and meta are always there, CUDA where the process is what a build with
/// CUDA is. Raises `error` for a type that nobody registered.
GuardBackend& backend_of(DeviceKind type);
bool has_backend(DeviceKind type) noexcept;
/// Replaces the one before, which stays alive for whoever still holds it.
void register_backend(std::unique_ptr<GuardBackend> backend);
/// As when the process began; `has_cuda`: is it what a build with CUDA is?
void reset_backends(bool has_cuda);

}  // namespace assay::cuda
