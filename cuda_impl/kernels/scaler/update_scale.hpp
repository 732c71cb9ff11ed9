// Launch of the scale update.
#pragma once

#include <driver_types.h>

#include "cuda_impl/kernels/scaler/scale_state.hpp"

namespace assay::cuda {

/// Makes one launch of one thread on the current device's current stream (AMP-120).
void launch_update_scale(const ScaleState& state, const ScaleFactors& factors);
/// The same without checking and counting the launch, for benchmarks of these two.
[[nodiscard]] cudaError_t try_launch_update_scale(const ScaleState& state,
                                                  const ScaleFactors& factors);

}  // namespace assay::cuda
