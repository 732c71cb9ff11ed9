// What becomes of a code that the driver has answered: an error, a warning, or nothing.
#pragma once

#include <source_location>
#include <string>

#include "reference/core/runtime.hpp"
#include "reference/core/types/error.hpp"
#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

/// Success does nothing. Otherwise clears the thread's error register and raises `device` with the
/// code (FLT-004, FLT-005).
void cuda_check(Runtime& runtime, Code code,
                const std::source_location& where = std::source_location::current());

/// For destructors: clears the register and gives one warning (FLT-008).
void cuda_warn(Runtime& runtime, Code code);
/// Clears the register.
void cuda_ignore(Runtime& runtime, Code code);

/// Directly after a launch: raises what the thread's register holds (FLT-006).
void launch_check(Runtime& runtime,
                  const std::source_location& where = std::source_location::current());

/// kSuccess is true and kNotReady false, with the register cleared (FLT-007); others raise.
bool is_ready(Runtime& runtime, Code code,
              const std::source_location& where = std::source_location::current());

enum class SyncDebugMode { kDefault, kWarn, kError };
/// For all threads.
void set_sync_debug_mode(Runtime& runtime, SyncDebugMode mode);
/// Before the host waits for a device: warns or raises `error` where that was asked for (STR-024).
void about_to_wait(Runtime& runtime);

}  // namespace assay::reference
