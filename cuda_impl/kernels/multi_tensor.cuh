// Processes many tensors in one launch. The table of tensors is a kernel parameter, so a block
// finds its part of the work without reading global memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"

namespace assay::cuda {

/// Bytes of kernel parameters that are reserved for arguments other than the table.
inline constexpr std::size_t kOtherParameters = 128;

/// Identifies a chunk by its row and its number in that row.
struct ChunkName {
  std::uint16_t row;
  std::uint16_t number;
};

/// A block works on one tile: `blockIdx.y` is the chunk, `blockIdx.x` the tile in the chunk. Blocks
/// start with x varying fastest, so concurrent blocks access adjacent memory. The number of tiles
/// in a chunk is chosen so that the list fits; a launch limits the number of tensors, not their
/// size.
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

/// `count` elements of the row from `first` on. `count` is 0 behind the end of the row.
template <int kLists>
struct Tile {
  const TensorRow<kLists>& row;
  std::int64_t first;
  int count;
};

/// `table` is the kernel's `const __grid_constant__` parameter, which is read in place. A block
/// does not loop over tiles: adding an offset in a loop would keep the compiler from proving that
/// accesses are aligned.
template <int kTile, int kLists, std::size_t kBytes>
__device__ Tile<kLists> tile_of_block(const ChunkTable<kLists, kBytes>& table) {
  const ChunkName name = table.chunks[blockIdx.y];
  const TensorRow<kLists>& row = table.rows[name.row];
  const std::int64_t first = (std::int64_t{name.number} * gridDim.x + blockIdx.x) * kTile;
  const std::int64_t left = row.count - first;
  return {row, first, left < 0 ? 0 : left < kTile ? static_cast<int>(left) : kTile};
}

/// Exceeds the memory of any device, and keeps the number of blocks within 32 bits.
inline constexpr std::int64_t kMostTilesPerChunk = 65535;

/// Fills the table with at most `kRows` rows, none of them empty, and returns the grid. `tile` is
/// the number of elements that a block processes. Raises `error` for rows that are larger than any
/// device's memory.
template <int kLists, std::size_t kBytes>
dim3 fill_table(ChunkTable<kLists, kBytes>& table, std::span<const TensorRow<kLists>> rows,
                std::int64_t tile) {
  std::int64_t total = 0;
  for (const auto& row : rows) total += row.count;
  // Rounding up wastes less than one chunk for each row.
  const std::int64_t spare = table.kChunks - static_cast<std::int64_t>(rows.size());
  const std::int64_t tiles = std::max<std::int64_t>(1, (total + tile * spare - 1) / (tile * spare));
  require(tiles <= kMostTilesPerChunk, [&] {
    return "expected tensors that a device can hold, not " + std::to_string(total) + " elements";
  });

  const std::int64_t chunk = tiles * tile;
  ChunkName* next = table.chunks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i] = rows[i];
    *next++ = {static_cast<std::uint16_t>(i), 0};
    if (rows[i].count <= chunk) continue;  // most rows
    const std::int64_t chunks = (rows[i].count + chunk - 1) / chunk;
    for (std::int64_t c = 1; c < chunks; ++c) {
      *next++ = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(c)};
    }
  }
  return dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(next - table.chunks));
}

/// Splits a list of non-empty rows into launches and calls `launch(table, grid, is_last)` for each.
/// An empty list makes no launch.
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

/// Bytes of kernel parameters. Larger than `kSmallParameters`, so that a device must take large
/// ones (parameter_bytes.hpp).
inline constexpr std::size_t kParametersOfFew = 8192;
inline constexpr std::size_t kParametersOfSome = 16384;

/// Calls `launch(table, grid, is_last)` with tables of 4, 8, 16 or 32 KB: the smallest that holds
/// the list, or as many of the largest as the list needs. No row may be empty.
template <int kLists, typename Launch>
void for_each_sized_launch(std::span<const TensorRow<kLists>> rows, std::int64_t tile,
                           const Launch& launch) {
  using Few = ChunkTable<kLists, kParametersOfFew>;
  using Some = ChunkTable<kLists, kParametersOfSome>;
  const auto holds = [&](int most) { return rows.size() <= static_cast<std::size_t>(most); };
  if (holds(SmallTable<kLists>::kRows) || parameter_bytes() == kSmallParameters) {
    for_each_launch_of<SmallTable<kLists>>(rows, tile, launch);
  } else if (holds(Few::kRows)) {
    for_each_launch_of<Few>(rows, tile, launch);
  } else if (holds(Some::kRows)) {
    for_each_launch_of<Some>(rows, tile, launch);
  } else {
    for_each_launch_of<LargeTable<kLists>>(rows, tile, launch);
  }
}

}  // namespace assay::cuda
