// Finds runs of equal indices: blocks count the beginnings of runs, one block sums the counts up,
// blocks write. CUB's device-wide scan would take one launch, but its blocks wait for those before
// them, which requires an order of blocks that CUDA does not guarantee and the simulated runtime
// varies.
#include <cub/block/block_scan.cuh>

#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/shared.cuh"
#include "cuda_impl/kernels/sparse/entries.hpp"

namespace assay::cuda {
namespace run_kernels {

/// Returns whether an entry differs from the one before it.
__device__ bool begins_run(const Runs& found, std::int64_t at) {
  const EntryIndices& indices = found.indices;
  if (at >= indices.entries) return false;
  if (at == 0) return true;
  const std::int64_t now = found.order[at];
  const std::int64_t before = found.order[at - 1];
  for (std::int64_t dim = 0; dim < indices.dims; ++dim) {
    const std::int64_t* const row = indices.data + dim * indices.entries;
    if (row[now] != row[before]) return true;
  }
  return false;
}

__global__ void __launch_bounds__(kBlock) count_kernel(Runs found) {
  const int count = __syncthreads_count(begins_run(found, first_index()));
  if (threadIdx.x == 0) found.counts[blockIdx.x] = count;
}

/// Replaces each count by the sum of the preceding ones, and appends the sum of all.
__global__ void __launch_bounds__(kBlock) sum_kernel(std::int64_t* counts, std::int64_t blocks) {
  using Scan = cub::BlockScan<std::int64_t, kBlock>;
  auto& scratch = shared_variable<Scan::TempStorage>();
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < blocks; first += kBlock) {
    const std::int64_t at = first + threadIdx.x;
    const std::int64_t count = at < blocks ? counts[at] : 0;
    std::int64_t sum = 0;
    std::int64_t total = 0;
    Scan(scratch).ExclusiveSum(count, sum, total);
    if (at < blocks) counts[at] = before + sum;
    before += total;
    __syncthreads();  // the next scan reuses this memory
  }
  if (threadIdx.x == 0) counts[blocks] = before;
}

__global__ void __launch_bounds__(kBlock) write_kernel(Runs found) {
  using Scan = cub::BlockScan<int, kBlock>;
  auto& scratch = shared_variable<Scan::TempStorage>();
  const std::int64_t at = first_index();
  const int begins = begins_run(found, at) ? 1 : 0;
  int rank = 0;
  Scan(scratch).ExclusiveSum(begins, rank);
  if (begins != 0) found.begin[found.counts[blockIdx.x] + rank] = at;
  if (at == 0) found.begin[found.counts[gridDim.x]] = found.indices.entries;
}

__global__ void __launch_bounds__(kBlock)
    indices_kernel(Runs found, std::int64_t runs, std::int64_t* indices) {
  const std::int64_t entries = found.indices.entries;
  for (auto i = first_index(); i < found.indices.dims * runs; i += index_stride()) {
    const std::int64_t dim = i / runs;
    const std::int64_t run = i - dim * runs;
    indices[i] = found.indices.data[dim * entries + found.order[found.begin[run]]];
  }
}

}  // namespace run_kernels

namespace {

std::int64_t blocks_of(std::int64_t entries) { return (entries + kBlock - 1) / kBlock; }

}  // namespace

std::int64_t run_counts(std::int64_t entries) { return blocks_of(entries) + 1; }

void launch_find_runs(const Runs& found) {
  const std::int64_t blocks = blocks_of(found.indices.entries);
  const LaunchShape shape{.grid = dim3(static_cast<unsigned>(blocks))};
  launch(run_kernels::count_kernel, shape, found);
  launch(run_kernels::sum_kernel, {.grid = dim3(1)}, found.counts, blocks);
  launch(run_kernels::write_kernel, shape, found);
}

void launch_indices_of_runs(const Runs& found, std::int64_t runs, std::int64_t* indices) {
  launch(run_kernels::indices_kernel, {.grid = blocks_for(found.indices.dims * runs)}, found, runs,
         indices);
}

}  // namespace assay::cuda
