// Sorts entries by their indices, a dimension at a time with CUB's device-wide radix sort, and
// finds the runs of equal ones.
#include <bit>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/sparse/entries.hpp"

namespace assay::cuda {
namespace {

using Keys = cub::DoubleBuffer<std::uint64_t>;
using Order = cub::DoubleBuffer<std::int64_t>;

/// Sorts by the lowest `bits`.
cudaError_t sort_pairs(void* scratch, std::size_t& bytes, Keys& keys, Order& order,
                       std::int64_t entries, int bits) {
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, order, entries, 0, bits,
                                         current_stream());
}

}  // namespace

namespace sort_kernels {

/// Takes the indices of one dimension in the present order.
__global__ void __launch_bounds__(kBlock)
    keys_kernel(const std::int64_t* indices, const std::int64_t* order, std::uint64_t* keys,
                std::int64_t entries) {
  for (auto i = first_index(); i < entries; i += index_stride()) {
    keys[i] = static_cast<std::uint64_t>(indices[order[i]]);
  }
}

__global__ void __launch_bounds__(kBlock)
    count_up_kernel(std::int64_t* order, std::int64_t entries) {
  for (auto i = first_index(); i < entries; i += index_stride()) order[i] = i;
}

}  // namespace sort_kernels

std::size_t sort_scratch_bytes(std::int64_t entries) {
  std::size_t bytes = 0;
  Keys keys;
  Order order;
  cuda_check(sort_pairs(nullptr, bytes, keys, order, entries, 64));
  return bytes;
}

const std::int64_t* launch_sort(const EntryIndices& indices, std::span<const std::int64_t> sizes,
                                const SortMemory& memory) {
  Keys keys(memory.keys[0], memory.keys[1]);
  Order order(memory.order[0], memory.order[1]);
  const LaunchShape shape{.grid = blocks_for(indices.entries)};
  launch(sort_kernels::count_up_kernel, shape, order.Current(), indices.entries);
  for (std::int64_t dim = indices.dims - 1; dim >= 0; --dim) {
    const auto largest = static_cast<std::uint64_t>(sizes[static_cast<std::size_t>(dim)]) - 1;
    const int bits = std::bit_width(largest);
    if (bits == 0) continue;
    launch(sort_kernels::keys_kernel, shape, indices.data + dim * indices.entries, order.Current(),
           keys.Current(), indices.entries);
    std::size_t bytes = memory.scratch_bytes;
    cuda_check(sort_pairs(memory.scratch, bytes, keys, order, indices.entries, bits));
  }
  return order.Current();
}

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
