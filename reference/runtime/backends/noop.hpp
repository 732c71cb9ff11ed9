// The backend of device types without streams: CPU and meta.
#pragma once

#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {

/// GRD-024.
BackendRef make_noop_backend(DeviceType type);

}  // namespace assay::reference
