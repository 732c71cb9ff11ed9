// The warning that a cast discards imaginary parts.
#pragma once

#include <atomic>

namespace assay::cuda {

/// Of the process: it comes once, and again where this has been set back.
std::atomic<bool>& has_warned_of_imaginary_parts();

}  // namespace assay::cuda
