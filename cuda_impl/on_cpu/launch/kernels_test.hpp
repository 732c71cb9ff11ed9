// Host functions that launch the kernels of the launch tests.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda::on_cpu::testing {

struct Table {
  int values[8];
};

/// sums[b] = the sum of block b's 128 values, computed with CUB.
void sum_of_blocks(const float* values, float* sums, int blocks, cudaStream_t stream);
/// Multiplies each element by the factor.
void scale(float* values, int count, float factor, cudaStream_t stream);
/// values[i] = table.values[i % 8] + a device constant.
void look_up(int* values, int count, const Table& table, cudaStream_t stream);
/// Reverses 64 ints through dynamic shared memory of `shared_bytes`.
void turn_around(int* values, std::size_t shared_bytes, cudaStream_t stream);
const void* turn_around_kernel();
/// Each thread increments a device counter.
void count_threads(int threads, cudaStream_t stream);
const void* counter_symbol();
const void* constant_symbol();
/// Permits at most 64 threads in a block.
void bounded(int threads, cudaStream_t stream);
/// Thread 3 of block 1 executes a trap.
void trap(cudaStream_t stream);
/// The first warp waits at the block barrier, the second for its own lanes.
void diverge(cudaStream_t stream);
/// Writes one element behind the end.
void write_behind(int* values, int count, cudaStream_t stream);

}  // namespace assay::cuda::on_cpu::testing
