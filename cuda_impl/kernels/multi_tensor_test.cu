// Launch tables: each element of each row is in exactly one tile of one block.
#include <gtest/gtest.h>

#include <vector>

#include "cuda_impl/kernels/multi_tensor.cuh"

namespace assay::cuda {
namespace {

using Rows = std::vector<TensorRow<1>>;

constexpr std::int64_t kTile = 64;

/// Mirrors `tile_of_block`.
std::int64_t tile_number(const ChunkName& name, dim3 grid, unsigned x) {
  return std::int64_t{name.number} * grid.x + x;
}

/// Simulates the grid and counts how often each element of row `row` is visited.
template <typename Table>
std::vector<int> visits(const Table& table, dim3 grid, const Rows& rows, std::size_t row) {
  std::vector<int> times(static_cast<std::size_t>(rows[row].count), 0);
  for (unsigned y = 0; y < grid.y; ++y) {
    const ChunkName name = table.chunks[y];
    if (name.row != row) continue;
    for (unsigned x = 0; x < grid.x; ++x) {
      const std::int64_t first = tile_number(name, grid, x) * kTile;
      for (auto i = first; i < std::min(first + kTile, rows[row].count); ++i) {
        ++times[static_cast<std::size_t>(i)];
      }
    }
  }
  return times;
}

Rows rows_of(const std::vector<std::int64_t>& counts) {
  Rows rows;
  for (const std::int64_t count : counts) rows.push_back({{nullptr}, count});
  return rows;
}

TEST(ChunkTable, CoversEachElementOnce) {
  for (const auto& counts : std::vector<std::vector<std::int64_t>>{
           {1}, {63, 64, 65}, {1000000}, {1, 300000, 5, 64 * 64}, {70000, 70000, 1}}) {
    const Rows rows = rows_of(counts);
    SmallTable<1> table;
    const dim3 grid = fill_table(table, std::span<const TensorRow<1>>(rows), kTile);

    ASSERT_LE(grid.y, static_cast<unsigned>(table.kChunks));
    for (std::size_t row = 0; row < rows.size(); ++row)
      EXPECT_EQ(visits(table, grid, rows, row),
                std::vector<int>(visits(table, grid, rows, row).size(), 1));
  }
}

/// Blocks start with x varying fastest, so concurrent blocks should share memory pages.
TEST(ChunkTable, GivesBlocksThatStartTogetherMemoryInARow) {
  const Rows rows = rows_of({1000000});
  SmallTable<1> table;
  const dim3 grid = fill_table(table, std::span<const TensorRow<1>>(rows), kTile);
  ASSERT_GT(grid.x, 1u);
  ASSERT_GT(grid.y, 1u);

  std::vector<std::int64_t> firsts;
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) firsts.push_back(tile_number(table.chunks[y], grid, x));

  for (std::size_t block = 0; block < firsts.size(); ++block)
    ASSERT_EQ(firsts[block], static_cast<std::int64_t>(block));
}

TEST(ChunkTable, HoldsAFullListOfAnySizes) {
  Rows rows = rows_of(std::vector<std::int64_t>(LargeTable<1>::kRows, 1));
  rows[3].count = std::int64_t{1} << 33;
  LargeTable<1> table;

  const dim3 grid = fill_table(table, std::span<const TensorRow<1>>(rows), kTile);

  EXPECT_LE(grid.y, static_cast<unsigned>(table.kChunks));
  EXPECT_GE(grid.y, static_cast<unsigned>(table.kRows));
  EXPECT_LE(grid.x, 65535u);
}

TEST(ChunkTable, RefusesWhatNoDeviceHolds) {
  const Rows rows = rows_of({std::int64_t{1} << 40});
  LargeTable<1> table;

  EXPECT_THROW(fill_table(table, std::span<const TensorRow<1>>(rows), kTile), Error);
}

TEST(ChunkTable, TakesAThousandTensorsInOneLaunch) {
  const Rows rows = rows_of(std::vector<std::int64_t>(1000, 4096));
  int launches = 0;
  pretend_parameter_bytes(kLargeParameters);

  for_each_sized_launch<1>(std::span<const TensorRow<1>>(rows), 4096,
                           [&](const auto&, dim3 grid, bool is_last) {
                             ++launches;
                             EXPECT_EQ(grid.x, 1u);
                             EXPECT_EQ(grid.y, 1000u);  // one block for each row
                             EXPECT_TRUE(is_last);
                           });

  pretend_parameter_bytes(std::nullopt);
  EXPECT_EQ(launches, 1);
}

TEST(ChunkTable, IsTheSmallestThatHoldsTheList) {
  const auto bytes_for = [](std::size_t length) {
    const Rows rows = rows_of(std::vector<std::int64_t>(length, 1));
    std::vector<std::size_t> bytes;
    for_each_sized_launch<1>(
        std::span<const TensorRow<1>>(rows), 4096,
        [&](const auto& table, dim3, bool) { bytes.push_back(sizeof(table) + kOtherParameters); });
    return bytes;
  };
  pretend_parameter_bytes(kLargeParameters);

  for (const auto& [length, most] : {std::pair(1u, 4096u),
                                     {124u, 4096u},
                                     {125u, 8192u},
                                     {252u, 8192u},
                                     {253u, 16384u},
                                     {508u, 16384u},
                                     {509u, 32768u},
                                     {1019u, 32768u}}) {
    ASSERT_EQ(bytes_for(length).size(), 1u);
    EXPECT_LE(bytes_for(length).front(), most) << length;
    EXPECT_GT(bytes_for(length).front(), most - 64) << length;
  }
  EXPECT_EQ(bytes_for(1020).size(), 2u);
  pretend_parameter_bytes(std::nullopt);
}

TEST(ChunkTable, CutsTheListWhereParametersAreFew) {
  const Rows rows = rows_of(std::vector<std::int64_t>(1000, 4096));
  std::vector<bool> lasts;
  unsigned chunks = 0;
  pretend_parameter_bytes(kSmallParameters);

  for_each_sized_launch<1>(
      std::span<const TensorRow<1>>(rows), 4096, [&](const auto& table, dim3 grid, bool is_last) {
        static_assert(sizeof(table) + kOtherParameters <= kLargeParameters);
        EXPECT_LE(sizeof(table) + kOtherParameters, kSmallParameters + sizeof(std::int64_t));
        lasts.push_back(is_last);
        chunks += grid.y;
      });

  pretend_parameter_bytes(std::nullopt);
  EXPECT_EQ(chunks, 1000u);
  ASSERT_EQ(lasts.size(), 9u);
  EXPECT_EQ(lasts, (std::vector<bool>{0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(ChunkTable, OfManyListsFitsTheParametersToo) {
  EXPECT_LE(sizeof(LargeTable<5>) + 100, kLargeParameters);
  EXPECT_LE(sizeof(SmallTable<5>) + 100, kSmallParameters);
  EXPECT_GE(LargeTable<5>::kRows, 480);
}

}  // namespace
}  // namespace assay::cuda
