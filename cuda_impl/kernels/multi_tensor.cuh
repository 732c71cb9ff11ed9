// Many tensors in one launch: the table that travels with it as a parameter, and how a block finds
// its part without a look at the device's memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

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

/// `blockIdx.x` is the number of a chunk; `blockIdx.y` shares out the tiles of that chunk. A chunk
/// is as many tiles as make the list fit, so that one launch holds tensors of any size, and only
/// their number is limited.
template <int kLists, std::size_t kBytes>
struct ChunkTable {
  static constexpr int kChunksPerRow = 4;
  static constexpr int kRows =
      static_cast<int>((kBytes - kOtherParameters) /
                       (sizeof(TensorRow<kLists>) + kChunksPerRow * sizeof(ChunkName)));
  static constexpr int kChunks = kChunksPerRow * kRows;

  std::int64_t chunk_elements;
  TensorRow<kLists> rows[kRows];
  ChunkName chunks[kChunks];
};

template <int kLists>
using SmallTable = ChunkTable<kLists, kSmallParameters>;
template <int kLists>
using LargeTable = ChunkTable<kLists, kLargeParameters>;

/// Elements `first` to `last` of the row, the last one not included.
template <int kLists>
struct Chunk {
  const TensorRow<kLists>& row;
  std::int64_t first;
  std::int64_t last;
};

/// `table` is the kernel's parameter, declared `const __grid_constant__`: read where it lies.
template <int kLists, std::size_t kBytes>
__device__ Chunk<kLists> chunk_of_block(const ChunkTable<kLists, kBytes>& table) {
  const ChunkName name = table.chunks[blockIdx.x];
  const TensorRow<kLists>& row = table.rows[name.row];
  const std::int64_t first = name.number * table.chunk_elements;
  const std::int64_t last = first + table.chunk_elements;
  return {row, first, last < row.count ? last : row.count};
}

/// `work(first, count)` for each of the chunk's tiles that are this block's: `count` elements from
/// `first` on, at most `kTile`. The same tiles for all threads of the block, so work may hold
/// barriers.
template <int kTile, int kLists, typename Work>
__device__ void for_each_tile(const Chunk<kLists>& chunk, const Work& work) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.y) * kTile;
  for (auto first = chunk.first + blockIdx.y * std::int64_t{kTile}; first < chunk.last;
       first += stride) {
    const std::int64_t left = chunk.last - first;
    work(first, static_cast<int>(left < kTile ? left : kTile));
  }
}

/// Fills the table with rows that all have elements, at most `kRows` of them; returns the grid.
/// `tile` is what a block works on at a time, in elements.
template <int kLists, std::size_t kBytes>
dim3 fill_table(ChunkTable<kLists, kBytes>& table, std::span<const TensorRow<kLists>> rows,
                std::int64_t tile) {
  std::int64_t total = 0;
  for (const auto& row : rows) total += row.count;
  // Rounding up costs each row less than one chunk.
  const std::int64_t spare = table.kChunks - static_cast<std::int64_t>(rows.size());
  const std::int64_t tiles = std::max<std::int64_t>(1, (total + tile * spare - 1) / (tile * spare));
  table.chunk_elements = tiles * tile;

  unsigned used = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i] = rows[i];
    const std::int64_t chunks = (rows[i].count + table.chunk_elements - 1) / table.chunk_elements;
    for (std::int64_t c = 0; c < chunks; ++c) {
      table.chunks[used++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(c)};
    }
  }
  constexpr std::int64_t kMostInY = 65535;
  return dim3(used, static_cast<unsigned>(std::min(tiles, kMostInY)));
}

/// Cuts a list of rows that all have elements into launches: `launch(table, grid, is_last)` for
/// each, with a table that is as small as the list allows. No rows, no launch.
template <int kLists, typename Launch>
void for_each_launch(std::span<const TensorRow<kLists>> rows, std::int64_t tile,
                     const Launch& launch) {
  const auto cut = [&]<typename Table>(std::type_identity<Table>) {
    Table table;
    while (!rows.empty()) {
      const auto taken = rows.first(std::min<std::size_t>(rows.size(), Table::kRows));
      rows = rows.subspan(taken.size());
      const dim3 grid = fill_table(table, taken, tile);
      launch(table, grid, rows.empty());
    }
  };
  const bool is_short = rows.size() <= static_cast<std::size_t>(SmallTable<kLists>::kRows);
  if (is_short || parameter_bytes() == kSmallParameters) {
    cut(std::type_identity<SmallTable<kLists>>{});
  } else {
    cut(std::type_identity<LargeTable<kLists>>{});
  }
}

}  // namespace assay::cuda
