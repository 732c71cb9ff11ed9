// How many bytes of parameters a launch may carry here.
#pragma once

#include <cstddef>
#include <optional>

namespace assay::cuda {

/// What every device takes, and what a driver of 12.1 or newer lets chips of compute capability 7.0
/// or newer take.
inline constexpr std::size_t kSmallParameters = 4096;
inline constexpr std::size_t kLargeParameters = 32764;

/// One of the two, for the current device; kSmallParameters where the environment says
/// ASSAY_CUDA_PARAMETER_BYTES=4096.
std::size_t parameter_bytes();

/// For tests: as if the device took this many, or (none) what it really takes.
void pretend_parameter_bytes(std::optional<std::size_t> bytes);

}  // namespace assay::cuda
