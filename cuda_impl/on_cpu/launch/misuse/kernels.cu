// Kernels for programs that go wrong.
#include "cuda_impl/on_cpu/launch/misuse/kernels.hpp"

namespace assay::cuda::on_cpu::misuse {

__global__ void write_at_kernel(int* values, long index) { values[index] = 1; }

__global__ void twice_kernel(int* values) { values[threadIdx.x] *= 2; }

void write_at(int* values, long index, cudaStream_t stream) {
  write_at_kernel<<<1, 1, 0, stream>>>(values, index);
}

void twice(int* values, int count, cudaStream_t stream) {
  twice_kernel<<<1, count, 0, stream>>>(values);
}

}  // namespace assay::cuda::on_cpu::misuse
