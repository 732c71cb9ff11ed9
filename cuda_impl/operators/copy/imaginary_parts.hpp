// The warning about casts that discard imaginary parts.
#pragma once

#include <atomic>

namespace assay::cuda {

/// Process-wide: the warning is given once, and again after this is reset to false.
std::atomic<bool>& has_warned_of_imaginary_parts();

}  // namespace assay::cuda
