// The operators of loss scaling, registered with a dispatcher (DSP-810).
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda {

/// For as long as it lives.
void register_amp_operators(dispatch::Dispatcher& dispatcher);

}  // namespace assay::cuda
