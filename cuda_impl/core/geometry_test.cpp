// Geometry: strides, density, overflow.
#include "cuda_impl/core/geometry.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

TEST(Geometry, ASizeOfZeroCountsAsOneInTheStrides) {
  EXPECT_EQ(contiguous_strides({2, 0, 3}), (Shape{3, 3, 1}));
  EXPECT_EQ(numel_of({2, 0, 3}), 0);
  EXPECT_TRUE(is_contiguous({2, 0, 3}, {9, 9, 9}));
}

TEST(Geometry, ADimensionOfOneElementMayHaveAnyStride) {
  EXPECT_TRUE(is_contiguous({1, 3}, {77, 1}));
  EXPECT_TRUE(is_contiguous({3, 1}, {1, 77}));
  EXPECT_FALSE(is_contiguous({3, 2}, {1, 3}));
}

TEST(Geometry, DenseMeansWithoutGapAndOverlapInSomeOrder) {
  EXPECT_TRUE(is_non_overlapping_and_dense({3, 2}, {1, 3}));
  EXPECT_TRUE(is_non_overlapping_and_dense({2, 4, 5, 3}, {60, 5, 1, 20}));
  EXPECT_FALSE(is_non_overlapping_and_dense({3}, {2}));
  EXPECT_FALSE(is_non_overlapping_and_dense({4, 3}, {0, 1}));
}

TEST(Geometry, WhatAnInt64CannotCountIsRefused) {
  EXPECT_THROW(numel_of({std::int64_t{1} << 40, std::int64_t{1} << 40}), Error);
  EXPECT_THROW(numel_of({2, -1}), Error);
  EXPECT_THROW(extent_of({std::int64_t{1} << 40}, {std::int64_t{1} << 40}), Error);
  EXPECT_EQ(extent_of({2, 3}, {10, 2}), 15);
}

TEST(Geometry, BroadcastingNamesBothSizes) {
  EXPECT_EQ(broadcast({2, 1}, {3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_strides({2, 1}, {1, 1}, {4, 2, 3}), (Shape{0, 1, 0}));
  try {
    broadcast({2, 3}, {4});
    FAIL() << "3 and 4 do not fit";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("(3)"), std::string::npos);
    EXPECT_NE(error.message().find("(4)"), std::string::npos);
  }
}

TEST(Geometry, OffsetsComeInRowMajorOrder) {
  std::vector<std::int64_t> seen;
  for_each_offset({2, 3}, {1, 2}, [&](std::int64_t offset) { seen.push_back(offset); });
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));

  int count = 0;
  for_each_offset({2, 0}, {1, 1}, [&](std::int64_t) { ++count; });
  EXPECT_EQ(count, 0);
  for_each_offset({}, {}, [&](std::int64_t) { ++count; });
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace assay::cuda
