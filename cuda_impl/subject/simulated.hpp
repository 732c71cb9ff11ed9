// Are the devices simulated?
#pragma once

namespace assay::cuda {

/// This program was linked with what stands in for the CUDA runtime: no time on it means anything.
bool is_simulated();

}  // namespace assay::cuda
