// Registers the loss-scaling operators with a dispatcher (DSP-810).
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda {

/// The registration lasts as long as the dispatcher.
void register_amp_operators(dispatch::Dispatcher& dispatcher);

}  // namespace assay::cuda
