// Kernels whose threads forget to wait for each other, or wait forever, if their arguments say so.
#include "cuda_impl/on_cpu/detectors/block_kernels.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace in_block {

constexpr unsigned kBlocks = 4;
constexpr unsigned kWarp = 32;

__global__ void neighbour_in_block_kernel(int* to, bool waits) {
  auto& values = __shared_variable<int[kBlockThreads]>();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (waits) __syncthreads();
  to[threadIdx.x] = values[(threadIdx.x + 1) % kBlockThreads];
}

__global__ void neighbour_in_warp_kernel(int* to, bool waits) {
  auto& lanes = __shared_variable<int[kWarp]>();
  lanes[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (waits) __syncwarp();
  to[threadIdx.x] = lanes[(threadIdx.x + 1) % kWarp];
}

__global__ void flag_kernel(int* flag, bool atomically) {
  if (threadIdx.x != 0) return;
  if (atomically) {
    atomicExch(flag, 1);
  } else {
    *flag = 1;
  }
}

__global__ void add_blocks_kernel(int* total, int* sums, int* tickets, bool fences) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = static_cast<int>(blockIdx.x);
  if (fences) __threadfence();
  if (atomicAdd(tickets, 1) != kBlocks - 1) return;
  if (fences) __threadfence();
  int sum = 0;
  for (unsigned block = 0; block < kBlocks; ++block) sum += sums[block];
  *total = sum;
}

__global__ void wait_apart_kernel(int* to, unsigned first) {
  if (threadIdx.x < first) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  to[threadIdx.x] = 1;
}

__global__ void shuffle_kernel(int* to, unsigned mask) {
  to[threadIdx.x] = __shfl_xor_sync(mask, static_cast<int>(threadIdx.x), 1);
}

__global__ void numbers_kernel(int* to, int* counter, bool by_order) {
  const int came_as = atomicAdd(counter, 1);
  to[by_order ? came_as : static_cast<int>(threadIdx.x)] = static_cast<int>(threadIdx.x);
}

}  // namespace in_block

using namespace in_block;

void read_neighbour_in_block(int* to, bool waits) {
  launch(neighbour_in_block_kernel, {1, kBlockThreads}, to, waits);
}

void read_neighbour_in_warp(int* to, bool waits) {
  launch(neighbour_in_warp_kernel, {1, kWarp}, to, waits);
}

void raise_flag(int* flag, bool atomically) { launch(flag_kernel, {2, kWarp}, flag, atomically); }

void add_blocks(int* total, int* scratch, bool fences) {
  launch(add_blocks_kernel, {kBlocks, kWarp}, total, scratch, scratch + kBlocks, fences);
}

void wait_apart(int* to, unsigned first) {
  launch(wait_apart_kernel, {1, kBlockThreads}, to, first);
}

void shuffle_in(int* to, unsigned mask) { launch(shuffle_kernel, {1, kWarp}, to, mask); }

void write_numbers(int* to, int* counter, bool by_order) {
  launch(numbers_kernel, {1, kWarp}, to, counter, by_order);
}

}  // namespace assay::cuda::on_cpu::detectors
