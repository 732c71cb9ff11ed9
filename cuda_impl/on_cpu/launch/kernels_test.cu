// Kernels of each kind that matters to a launch.
#include <cub/block/block_reduce.cuh>

#include "cuda_impl/on_cpu/launch/kernels_test.hpp"

namespace assay::cuda::on_cpu::testing {
__device__ int counter;
__constant__ int constant = 1000;

__global__ void scale_kernel(float* values, int count, float factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= factor;
}

__global__ void diverge_kernel() {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    if (threadIdx.x % 2 == 0) __syncthreads();
    __syncwarp();
  }
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) sum_kernel(const float* values, float* sums) {
  using Sum = cub::BlockReduce<float, kThreads>;
  auto& scratch = __shared_variable<typename Sum::TempStorage>();
  const float sum = Sum(scratch).Sum(values[blockIdx.x * kThreads + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void look_up_kernel(int* values, int count, Table table) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = table.values[i % 8] + constant;
}

__global__ void turn_around_kernel_64(int* values) {
  int* const held = __dynamic_shared<int>();
  held[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = held[63 - threadIdx.x];
}

__global__ void count_kernel() { atomicAdd(&counter, 1); }

__global__ void __launch_bounds__(64) bounded_kernel() {}

__global__ void trap_kernel() {
  if (blockIdx.x == 1 && threadIdx.x == 3) __trap();
}

__global__ void write_behind_kernel(int* values, int count) { values[count] = 1; }

void sum_of_blocks(const float* values, float* sums, int blocks, cudaStream_t stream) {
  launch(sum_kernel<128>, {blocks, 128, 0, stream}, values, sums);
}
void scale(float* values, int count, float factor, cudaStream_t stream) {
  launch(scale_kernel, {(count + 31) / 32, 32, 0, stream}, values, count, factor);
}
void look_up(int* values, int count, const Table& table, cudaStream_t stream) {
  launch(look_up_kernel, {(count + 31) / 32, 32, 0, stream}, values, count, table);
}
void turn_around(int* values, std::size_t shared_bytes, cudaStream_t stream) {
  launch(turn_around_kernel_64, {1, 64, shared_bytes, stream}, values);
}
const void* turn_around_kernel() { return reinterpret_cast<const void*>(&turn_around_kernel_64); }
void count_threads(int threads, cudaStream_t stream) {
  launch(count_kernel, {1, threads, 0, stream});
}
const void* counter_symbol() { return &counter; }
const void* constant_symbol() { return &constant; }
void bounded(int threads, cudaStream_t stream) { launch(bounded_kernel, {1, threads, 0, stream}); }
void trap(cudaStream_t stream) { launch(trap_kernel, {2, 32, 0, stream}); }
void diverge(cudaStream_t stream) { launch(diverge_kernel, {1, 64, 0, stream}); }
void write_behind(int* values, int count, cudaStream_t stream) {
  launch(write_behind_kernel, {1, 1, 0, stream}, values, count);
}

}  // namespace assay::cuda::on_cpu::testing
