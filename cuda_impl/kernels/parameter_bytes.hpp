// The size limit of kernel parameters on the current device.
#pragma once

#include <cstddef>
#include <optional>

namespace assay::cuda {

/// The limit on every device, and the one on compute capability 7.0 or newer with a driver for CUDA
/// 12.1 or newer.
inline constexpr std::size_t kSmallParameters = 4096;
inline constexpr std::size_t kLargeParameters = 32764;

/// Returns one of the two for the current device; kSmallParameters if the environment variable
/// ASSAY_CUDA_PARAMETER_BYTES is 4096.
std::size_t parameter_bytes();

/// For tests: overrides the limit; nullopt restores the device's own.
void pretend_parameter_bytes(std::optional<std::size_t> bytes);

}  // namespace assay::cuda
