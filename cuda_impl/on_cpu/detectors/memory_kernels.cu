// Kernels that access memory out of bounds if their arguments say so.
#include "cuda_impl/on_cpu/detectors/memory_kernels.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace in_memory {

__global__ void read_kernel(int* to, const int* from, long index) { *to = from[index]; }

__global__ void write_kernel(int* to, long index) { to[index] = 1; }

__global__ void static_shared_kernel(int* to, int shift) {
  int* const values = __shared_variable<int[kThreads]>();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  to[threadIdx.x] = values[static_cast<int>(threadIdx.x) + shift];
}

__global__ void dynamic_shared_kernel(int* to, int shift) {
  int* const values = __dynamic_shared<int>();
  to[threadIdx.x] = 0;
  values[static_cast<int>(threadIdx.x) + shift] = static_cast<int>(threadIdx.x);
}

__global__ void local_array_kernel(int* to, int index) {
  int values[8] = {};
  int* const first = values;  // an index of the array itself is checked against its type
  first[index] = 1;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[i] * i;
  *to = sum;
}

__global__ void fresh_shared_kernel(int* to, int filled) {
  auto& values = __shared_variable<int[kThreads]>();
  if (static_cast<int>(threadIdx.x) < filled) values[threadIdx.x] = 1;
  __syncthreads();
  to[threadIdx.x] = values[threadIdx.x];
}

__global__ void misaligned_kernel(char* to, long offset) {
  *reinterpret_cast<int*>(to + offset) = 1;
}

}  // namespace in_memory

using namespace in_memory;

void read_at(int* to, const int* from, long index) { launch(read_kernel, {1, 1}, to, from, index); }

void write_at(int* to, long index) { launch(write_kernel, {1, 1}, to, index); }

void read_static_shared(int* to, int shift) {
  launch(static_shared_kernel, {1, kThreads}, to, shift);
}

void write_dynamic_shared(int* to, int shift) {
  launch(dynamic_shared_kernel, {1, kThreads, kThreads * sizeof(int)}, to, shift);
}

void write_local_array(int* to, int index) { launch(local_array_kernel, {1, 1}, to, index); }

void read_fresh_shared(int* to, int filled) {
  launch(fresh_shared_kernel, {1, kThreads}, to, filled);
}

void write_misaligned(int* to, long offset) {
  launch(misaligned_kernel, {1, 1}, reinterpret_cast<char*>(to), offset);
}

}  // namespace assay::cuda::on_cpu::detectors
