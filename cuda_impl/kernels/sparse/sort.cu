// Sorts entries by their indices, a dimension at a time from the last to the first, with CUB's
// device-wide radix sort.
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_impl/core/grid.cuh"
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

}  // namespace assay::cuda
