// Kernels whose combined result depends on their order.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda::on_cpu::detectors {

/// value = 2 * value
void twice(int* value, cudaStream_t stream);
/// value = value + 1
void one_more(int* value, cudaStream_t stream);

}  // namespace assay::cuda::on_cpu::detectors
