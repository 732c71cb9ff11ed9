// Many tensors in one launch: the table that travels with it as a parameter, and how a block finds
// its part without a look at the device's memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/kernels/parameter_bytes.hpp"
#include "cuda_impl/kernels/tensor_row.hpp"

namespace assay::cuda {

/// Of a launch's parameters, what is left for those beside the table.
inline constexpr std::size_t kOtherParameters = 128;

/// Which chunk of which row.
struct ChunkName {
  std::uint16_t row;
  std::uint16_t number;
};

/// A block works on one tile: `blockIdx.y` is the number of a chunk, `blockIdx.x` that of a tile in
/// it. Blocks start in the order of x first, so those that run at a time work on memory in a row. A
/// chunk is as many tiles as make the list fit, so that one launch holds tensors of any size, and
/// only their number is limited.
template <int kLists, std::size_t kBytes>
struct ChunkTable {
  static constexpr int kChunksPerRow = 4;
  static constexpr int kRows =
      static_cast<int>((kBytes - kOtherParameters) /
                       (sizeof(TensorRow<kLists>) + kChunksPerRow * sizeof(ChunkName)));
  static constexpr int kChunks = kChunksPerRow * kRows;

  TensorRow<kLists> rows[kRows];
  ChunkName chunks[kChunks];
};

template <int kLists>
using SmallTable = ChunkTable<kLists, kSmallParameters>;
template <int kLists>
using LargeTable = ChunkTable<kLists, kLargeParameters>;

/// `count` elements of the row, from `first` on: none where the row has ended before.
template <int kLists>
struct Tile {
  const TensorRow<kLists>& row;
  std::int64_t first;
  int count;
};

/// `table` is the kernel's parameter, declared `const __grid_constant__`: read where it lies. Tiles
/// are not walked in a loop: what is added to addresses there keeps the compiler from seeing that
/// accesses are aligned.
template <int kTile, int kLists, std::size_t kBytes>
__device__ Tile<kLists> tile_of_block(const ChunkTable<kLists, kBytes>& table) {
  const ChunkName name = table.chunks[blockIdx.y];
  const TensorRow<kLists>& row = table.rows[name.row];
  const std::int64_t first = (std::int64_t{name.number} * gridDim.x + blockIdx.x) * kTile;
  const std::int64_t left = row.count - first;
  return {row, first, left < 0 ? 0 : left < kTile ? static_cast<int>(left) : kTile};
}

/// Beyond what any device has memory for, and few enough for all blocks to be counted in 32 bits.
inline constexpr std::int64_t kMostTilesPerChunk = 65535;

/// Fills the table with rows that all have elements, at most `kRows` of them; returns the grid.
/// `tile` is what a block works on, in elements. Raises `error` where rows are longer than any
/// device has memory for.
template <int kLists, std::size_t kBytes>
dim3 fill_table(ChunkTable<kLists, kBytes>& table, std::span<const TensorRow<kLists>> rows,
                std::int64_t tile) {
  std::int64_t total = 0;
  for (const auto& row : rows) total += row.count;
  // Rounding up costs each row less than one chunk.
  const std::int64_t spare = table.kChunks - static_cast<std::int64_t>(rows.size());
  const std::int64_t tiles = std::max<std::int64_t>(1, (total + tile * spare - 1) / (tile * spare));
  require(tiles <= kMostTilesPerChunk, [&] {
    return "expected tensors that a device can hold, not " + std::to_string(total) + " elements";
  });

  unsigned used = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i] = rows[i];
    const std::int64_t chunks = (rows[i].count + tiles * tile - 1) / (tiles * tile);
    for (std::int64_t c = 0; c < chunks; ++c) {
      table.chunks[used++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(c)};
    }
  }
  return dim3(static_cast<unsigned>(tiles), used);
}

/// Cuts a list of rows that all have elements into launches: `launch(table, grid, is_last)` for
/// each. No rows, no launch.
template <typename Table, int kLists, typename Launch>
void for_each_launch_of(std::span<const TensorRow<kLists>> rows, std::int64_t tile,
                        const Launch& launch) {
  Table table;
  while (!rows.empty()) {
    const auto taken = rows.first(std::min<std::size_t>(rows.size(), Table::kRows));
    rows = rows.subspan(taken.size());
    const dim3 grid = fill_table(table, taken, tile);
    launch(table, grid, rows.empty());
  }
}

/// With a table that is as small as the list allows.
template <int kLists, typename Launch>
void for_each_launch(std::span<const TensorRow<kLists>> rows, std::int64_t tile,
                     const Launch& launch) {
  const bool is_short = rows.size() <= static_cast<std::size_t>(SmallTable<kLists>::kRows);
  if (is_short || parameter_bytes() == kSmallParameters) {
    for_each_launch_of<SmallTable<kLists>>(rows, tile, launch);
  } else {
    for_each_launch_of<LargeTable<kLists>>(rows, tile, launch);
  }
}

}  // namespace assay::cuda
