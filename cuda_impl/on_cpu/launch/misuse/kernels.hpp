// The kernels of the program that goes wrong.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda::on_cpu::misuse {

void write_at(int* values, long index, cudaStream_t stream);
void twice(int* values, int count, cudaStream_t stream);

}  // namespace assay::cuda::on_cpu::misuse
