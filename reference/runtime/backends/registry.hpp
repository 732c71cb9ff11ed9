// The backends of device types.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Never raises. Thread-safe.
bool has_backend(Runtime& runtime, DeviceType type) noexcept;

/// Raises `error` for a type without a backend (STR-007, GRD-025).
BackendRef backend_of(Runtime& runtime, DeviceType type);

/// Replaces the backend of its type until the next reset.
void register_backend(Runtime& runtime, BackendRef backend);

}  // namespace assay::reference
