// Unscale on the host: tensor by tensor, in the order of the list.
#pragma once

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// Checked arguments; gradients of the host. Those before an offending one are done when it is
/// refused (AMP-310, AMP-313).
void unscale_on_cpu(const UnscaleTensors& tensors);

}  // namespace assay::cuda
