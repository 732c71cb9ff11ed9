// Launch of the scale update.
#pragma once

#include "cuda_impl/kernels/scaler/scale_state.hpp"

namespace assay::cuda {

/// Makes one launch of one thread on the current device's current stream (AMP-120).
void launch_update_scale(const ScaleState& state, const ScaleFactors& factors);

}  // namespace assay::cuda
