// Brings the runtime back to how a process begins with it.
#pragma once

namespace assay::cuda {

/// On the calling thread, while no other uses the runtime. `has_cuda`: is the process what a build
/// with CUDA is?
void reset_runtime(bool has_cuda);

}  // namespace assay::cuda
