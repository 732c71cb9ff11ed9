// Stack switching; the x86-64 code is in the .cpp file.
#pragma once

#include <cstddef>

namespace assay::cuda::on_cpu {

/// Saves the current stack pointer and continues on the stack of `to`. Returns when another call
/// switches back. The caller handles the rounding mode and the sanitizers.
void switch_stack(void** save, void* to);

/// Prepares a stack whose first switch calls `entry`, which must not return. `top` is its end,
/// aligned to 64 bytes.
void* fresh_stack(std::byte* top, void (*entry)());

}  // namespace assay::cuda::on_cpu
