// The slow path of calls, for threads whose mode is not kPlain (registry/grace.hpp).
#pragma once

#include "cuda_impl/dispatch/registry/grace.hpp"

namespace assay::cuda::dispatch {

/// Registers the thread if necessary and runs pending reclamation.
void start_slow_path();

}  // namespace assay::cuda::dispatch
