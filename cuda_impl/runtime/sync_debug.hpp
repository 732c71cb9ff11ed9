// What a call that makes the host wait does beside waiting (STR-024).
#pragma once

#include <cstdint>

namespace assay::cuda {

enum class SyncDebugMode : std::uint8_t { kDefault, kWarn, kError };

/// For the process.
void set_sync_debug_mode(SyncDebugMode mode);
/// Called before the host waits: warns, or raises `error`.
void before_host_waits();

}  // namespace assay::cuda
