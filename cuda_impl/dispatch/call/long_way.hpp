// What a call does on a thread that is not plain (registry/grace.hpp).
#pragma once

#include "cuda_impl/dispatch/registry/grace.hpp"

namespace assay::cuda::dispatch {

/// Makes the thread known, and frees what has waited for its calls to end.
void start_long_way();

}  // namespace assay::cuda::dispatch
