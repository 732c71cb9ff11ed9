// Unscale on the CPU, in list order.
#pragma once

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// Requires checked arguments and CPU gradients. If a gradient is rejected, those before it are
/// already unscaled (AMP-310, AMP-313).
void unscale_on_cpu(const UnscaleTensors& tensors);

}  // namespace assay::cuda
