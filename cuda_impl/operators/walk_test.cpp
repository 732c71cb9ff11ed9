// Walks: dimensions that are one are walked as one.
#include "cuda_impl/operators/walk.hpp"

#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

Geometry<3> walk(const Shape& sizes, const Shape& out, const Shape& left) {
  return walk_of(sizes, {&out, &left, nullptr});
}

TEST(Walk, ContiguousTensorsAreOneRow) {
  const Geometry<3> geometry = walk({2, 3, 4}, {12, 4, 1}, {12, 4, 1});

  EXPECT_EQ(geometry.dims, 1);
  EXPECT_EQ(geometry.count, 24);
  EXPECT_TRUE(are_rows(geometry));
}

TEST(Walk, PermutedTensorsOfOneOrderAreOneRow) {
  const Geometry<3> geometry = walk({3, 2, 4}, {4, 12, 1}, {4, 12, 1});

  EXPECT_TRUE(are_rows(geometry));
}

TEST(Walk, ARepeatedElementIsSingle) {
  const Geometry<3> geometry = walk({2, 3}, {3, 1}, {0, 0});

  EXPECT_TRUE(are_rows(geometry));
  EXPECT_TRUE(is_single(geometry, 1));
}

TEST(Walk, ATransposedSourceTakesTwoDimensions) {
  const Geometry<3> geometry = walk({4, 5}, {5, 1}, {1, 4});

  EXPECT_EQ(geometry.dims, 2);
  EXPECT_FALSE(are_rows(geometry));
  EXPECT_EQ(offsets_at(geometry, 7).of[0], 7);
  EXPECT_EQ(offsets_at(geometry, 7).of[1], 1 + 2 * 4);
}

TEST(Walk, SizesOfOneDoNotCount) {
  const Geometry<3> geometry = walk({1, 6, 1}, {77, 1, 5}, {0, 1, 0});

  EXPECT_TRUE(are_rows(geometry));
  EXPECT_EQ(walk({1, 1}, {9, 9}, {0, 0}).dims, 0);
}

TEST(Walk, OffsetsBeyondFourBillionElementsAreRight) {
  const std::int64_t rows = std::int64_t{1} << 20;
  const std::int64_t columns = (std::int64_t{1} << 13) + 1;
  const Geometry<3> geometry = walk({rows, columns}, {columns, 1}, {1, rows});
  const std::int64_t row = rows - 1;
  const std::int64_t column = columns - 2;

  const Offsets<3> at = offsets_at(geometry, row * columns + column);

  EXPECT_EQ(at.of[0], row * columns + column);
  EXPECT_EQ(at.of[1], row + column * rows);
}

TEST(Walk, MoreDimensionsThanAKernelTakesAreRefused) {
  const std::size_t dims = kMostDims + 1;
  Shape strides(dims);
  for (std::size_t i = 0; i < dims; ++i) strides[i] = static_cast<std::int64_t>(5 * (dims - i) + 1);

  EXPECT_THROW(walk(Shape(dims, 2), strides, strides), Error);
}

}  // namespace
}  // namespace assay::cuda
