// What the launch tests' kernels are called by from the host.
#pragma once

#include <cuda_runtime_api.h>

namespace assay::cuda::on_cpu::testing {

struct Table {
  int values[8];
};

/// sums[b] = sum of the block's 128 values, by CUB.
void sum_of_blocks(const float* values, float* sums, int blocks, cudaStream_t stream);
/// Each element times the factor.
void scale(float* values, int count, float factor, cudaStream_t stream);
/// values[i] = table.values[i % 8] + the constant of the device side.
void look_up(int* values, int count, const Table& table, cudaStream_t stream);
/// Turns 64 ints around, through dynamic shared memory of `shared_bytes`.
void turn_around(int* values, std::size_t shared_bytes, cudaStream_t stream);
const void* turn_around_kernel();
/// Counts a thread each on the device side's counter.
void count_threads(int threads, cudaStream_t stream);
const void* counter_symbol();
const void* constant_symbol();
/// At most 64 threads a block.
void bounded(int threads, cudaStream_t stream);
/// Block 1's thread 3 traps.
void trap(cudaStream_t stream);
/// The first warp waits at the block's barrier, the second for its own lanes.
void diverge(cudaStream_t stream);
/// Writes the element behind the last.
void write_behind(int* values, int count, cudaStream_t stream);

}  // namespace assay::cuda::on_cpu::testing
