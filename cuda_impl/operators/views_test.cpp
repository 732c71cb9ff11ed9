// Views: which share memory, and which have to be copied; tensors put together. Walks: dimensions
// that are one are walked as one.
#include "cuda_impl/operators/views.hpp"

#include <gtest/gtest.h>

#include <array>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/sample.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

using sample::tensor_of;
using sample::values_of;

TEST(Views, ReshapeSharesMemoryWhereStridesAllowIt) {
  const Tensor all = tensor_of(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor slice = as_strided(all, {2, 2, 3}, {6, 3, 1}, 0);
  const Tensor gaps = as_strided(all, {2, 2, 2}, {6, 3, 1}, 0);
  const Tensor turned = as_strided(all, {3, 4}, {1, 3}, 0);

  EXPECT_TRUE(reshape(slice, {4, -1}).is_alias_of(all));
  EXPECT_EQ(reshape(gaps, {4, 2, 1}).strides(), (Shape{3, 1, 1}));
  EXPECT_TRUE(reshape(gaps, {4, 2}).is_alias_of(all));
  EXPECT_FALSE(reshape(turned, {12}).is_alias_of(all));
  EXPECT_EQ(values_of<float>(reshape(turned, {12}))[1], 3);
  EXPECT_THROW(reshape(all, {5, -1}), Error);
  EXPECT_THROW(reshape(all, {-1, -1}), Error);
}

TEST(Views, StayInsideTheirStorage) {
  const Tensor base = tensor_of(std::vector<float>(6));

  EXPECT_THROW(as_strided(base, {7}, {1}, 0), Error);
  EXPECT_THROW(as_strided(base, {2}, {5}, 1), Error);
  EXPECT_THROW(as_strided(base, {2}, {-1}, 1), Error);
  EXPECT_THROW(as_strided(base, {1}, {1}, -1), Error);
  EXPECT_EQ(as_strided(base, {0}, {1}, 100).data(), nullptr);
}

TEST(Views, OfBatchesAreBroadcastByMatmul) {
  const Tensor left = tensor_of(std::vector<float>{1, 2, 3, 4}, {2, 1, 2});
  const Tensor right = tensor_of(std::vector<float>{5, 6}, {2, 1});

  EXPECT_EQ(values_of<float>(matmul(left, right)), (std::vector<float>{17, 39}));
  EXPECT_EQ(matmul(left, right).sizes(), (Shape{2, 1, 1}));
  EXPECT_EQ(matmul(left, reshape(right, {2})).sizes(), (Shape{2, 1}));
}

TEST(Cat, PromotesAndLeavesOutWhatIsEmpty) {
  const std::array parts{tensor_of(std::vector<std::int32_t>{1, 2}, {1, 2}),
                         empty({0}, Dtype::kFloat32, sample::kGpu),
                         tensor_of(std::vector<float>{0.5, 3, 4, 5}, {2, 2})};

  const Tensor result = cat(parts, 0);

  EXPECT_EQ(result.sizes(), (Shape{3, 2}));
  EXPECT_EQ(values_of<float>(result), (std::vector<float>{1, 2, 0.5, 3, 4, 5}));
}

TEST(Cat, StacksAlongANewDimension) {
  const std::array parts{tensor_of(std::vector<float>{1, 2}), tensor_of(std::vector<float>{3, 4})};

  EXPECT_EQ(values_of<float>(stack(parts, 0)), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(values_of<float>(stack(parts, -1)), (std::vector<float>{1, 3, 2, 4}));
  EXPECT_THROW(cat(std::array{parts[0], reshape(parts[1], {1, 2})}, 0), Error);
}

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
