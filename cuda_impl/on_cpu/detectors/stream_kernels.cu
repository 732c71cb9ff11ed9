// Kernels whose results tell in which order they ran.
#include "cuda_impl/on_cpu/detectors/stream_kernels.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace in_stream {

__global__ void twice_kernel(int* value) { *value *= 2; }

__global__ void one_more_kernel(int* value) { *value += 1; }

}  // namespace in_stream

using namespace in_stream;

void twice(int* value, cudaStream_t stream) { launch(twice_kernel, {1, 1, 0, stream}, value); }

void one_more(int* value, cudaStream_t stream) {
  launch(one_more_kernel, {1, 1, 0, stream}, value);
}

}  // namespace assay::cuda::on_cpu::detectors
