// Converts driver error codes to exceptions or warnings.
#pragma once

#include <source_location>

#include "reference/core/runtime.hpp"
#include "reference/core/types/error.hpp"
#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

/// Does nothing for kSuccess. Otherwise clears the thread's error register and raises `device` with
/// the code (FLT-004, FLT-005).
void cuda_check(Runtime& runtime, Code code,
                const std::source_location& where = std::source_location::current());

/// For destructors: clears the register and warns once (FLT-008).
void cuda_warn(Runtime& runtime, Code code);
/// Clears the register without a message.
void cuda_ignore(Runtime& runtime, Code code);

/// Call directly after a launch: raises the error in the thread's register (FLT-006).
void launch_check(Runtime& runtime,
                  const std::source_location& where = std::source_location::current());

/// True for kSuccess, false for kNotReady, whose error it clears (FLT-007); otherwise raises.
bool is_ready(Runtime& runtime, Code code,
              const std::source_location& where = std::source_location::current());

enum class SyncDebugMode { kDefault, kWarn, kError };
/// Applies to all threads.
void set_sync_debug_mode(Runtime& runtime, SyncDebugMode mode);
/// Call before a host wait: warns or raises `error` as the sync debug mode demands (STR-024).
void about_to_wait(Runtime& runtime);

}  // namespace assay::reference
