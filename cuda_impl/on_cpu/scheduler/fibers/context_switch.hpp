// Leaving one stack for another: what is particular to the x86-64 is in this file's twin.
#pragma once

#include <cstddef>

namespace assay::cuda::on_cpu {

/// Stores where the caller's stack stands, and goes on where `to` stood. Returns when somebody
/// switches back. The rounding mode and the sanitizers are the caller's business.
void switch_stack(void** save, void* to);

/// A fresh stack whose first switch calls `entry`, which must not return. `top` is its end, aligned
/// to 64 bytes.
void* fresh_stack(std::byte* top, void (*entry)());

}  // namespace assay::cuda::on_cpu
