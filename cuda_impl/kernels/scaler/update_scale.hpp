// The update of the scale as a launch.
#pragma once

#include "cuda_impl/kernels/scaler/scale_state.hpp"

namespace assay::cuda {

/// One launch of one thread, on the current device's current stream (AMP-120).
void launch_update_scale(const ScaleState& state, const ScaleFactors& factors);

}  // namespace assay::cuda
