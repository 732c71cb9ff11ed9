// The sync debug mode: reports calls that make the host wait (STR-024).
#pragma once

#include <cstdint>

namespace assay::cuda {

enum class SyncDebugMode : std::uint8_t { kDefault, kWarn, kError };

/// Process-wide.
void set_sync_debug_mode(SyncDebugMode mode);
/// Call before a host wait: warns or raises `error`, depending on the mode.
void before_host_waits();

}  // namespace assay::cuda
