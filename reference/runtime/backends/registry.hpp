// Which backend serves which type of device.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// Never raises. Any thread may ask.
bool has_backend(Runtime& runtime, DeviceType type) noexcept;

/// Raises `error` where there is none (STR-007, GRD-025).
BackendRef backend_of(Runtime& runtime, DeviceType type);

/// From now on, until the next reset, in place of the one before.
void register_backend(Runtime& runtime, BackendRef backend);

}  // namespace assay::reference
