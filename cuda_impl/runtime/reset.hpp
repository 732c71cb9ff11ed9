// Resets the runtime to its initial state.
#pragma once

namespace assay::cuda {

/// No other thread may use the runtime. `has_cuda`:
/// whether the process stands for a CUDA build.
void reset_runtime(bool has_cuda);

}  // namespace assay::cuda
