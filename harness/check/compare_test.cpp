// Tests of equality by bits, and of descriptions of differences.
#include "harness/check/compare.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TensorValue floats(std::vector<std::uint64_t> bits, std::vector<std::int64_t> shape = {}) {
  TensorValue tensor;
  tensor.shape =
      shape.empty() ? std::vector<std::int64_t>{static_cast<std::int64_t>(bits.size())} : shape;
  tensor.data.resize(4 * bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) tensor.set_bits(i, bits[i]);
  return tensor;
}

TEST(Compare, TellsZerosApart) {
  EXPECT_TRUE(compare(floats({0x80000000}), floats({0})));
  EXPECT_TRUE(compare(-0.0, 0.0));
}

TEST(Compare, TakesEveryNanForEveryNanUnlessTold) {
  const Value quiet = floats({0x7fc00000});
  const Value other = floats({0xff800001});

  EXPECT_FALSE(compare(quiet, other));
  EXPECT_TRUE(compare(quiet, other, {.nan_by_class = false, .ulp = 0}));
}

TensorValue with_strides(TensorValue tensor, std::vector<std::int64_t> strides) {
  tensor.strides = std::move(strides);
  return tensor;
}

TEST(Compare, TakesATensorWithoutStridesForContiguous) {
  const TensorValue plain = floats({1, 2, 3, 4}, {2, 2});
  const TensorValue turned = with_strides(plain, {1, 2});

  EXPECT_FALSE(compare(plain, with_strides(plain, {2, 1})));
  EXPECT_FALSE(compare(with_strides(plain, {2, 1}), plain));
  EXPECT_FALSE(compare(turned, turned));
  ASSERT_TRUE(compare(turned, plain));
  EXPECT_TRUE(compare(turned, plain)->got.find("strides [1, 2]") != std::string::npos);
  EXPECT_TRUE(compare(plain, turned));
}

TEST(Compare, IgnoresStridesThatReachNoElement) {
  const TensorValue row = floats({1, 2}, {1, 2});
  EXPECT_FALSE(compare(with_strides(row, {7, 1}), row));
  EXPECT_TRUE(compare(with_strides(row, {7, 2}), row));
  const TensorValue nothing = floats({}, {0, 3});
  EXPECT_FALSE(compare(with_strides(nothing, {5, 5}), nothing));
}

TEST(Compare, TakesNoRecipeForElements) {
  const TensorValue made = floats({0, 0x3f800000});
  TensorValue recipe = made;
  recipe.data.clear();
  recipe.recipe = Recipe{};

  EXPECT_TRUE(compare(Value(recipe), Value(recipe)));
  EXPECT_TRUE(compare(Value(recipe), Value(made)));
}

TEST(Compare, DoesNotTakeInfinityForNan) {
  EXPECT_TRUE(compare(floats({0x7f800000}), floats({0x7fc00000})));
}

TEST(Compare, NamesTheElementAndTheDistance) {
  const auto difference =
      compare(floats({0, 0, 0x3fd55555, 0}, {2, 2}), floats({0, 0, 0x3fd55556, 0}, {2, 2}));

  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->where, "element [1, 0]");
  EXPECT_EQ(difference->wanted, "3fd55556 (1.6666667461395264)");
  EXPECT_EQ(difference->got, "3fd55555 (1.6666666269302368)");
  EXPECT_EQ(difference->distance, " by 1 ULP of float32");
}

TEST(Compare, CountsUlpsAcrossZero) {
  EXPECT_EQ(ulp_distance(Dtype::kFloat32, 0x80000001, 0x00000001), 2u);
  EXPECT_EQ(ulp_distance(Dtype::kFloat16, 0x7bff, 0x7c00), 1u);
  EXPECT_EQ(ulp_distance(Dtype::kFloat32, 0x7fc00000, 0), std::nullopt);
  EXPECT_EQ(ulp_distance(Dtype::kFloat64, 0xffefffffffffffff, 0x7fefffffffffffff),
            0xffdffffffffffffeu);
}

TEST(Compare, AllowsAsManyUlpsAsTold) {
  EXPECT_FALSE(
      compare(floats({0x3f800002}), floats({0x3f800000}), {.nan_by_class = true, .ulp = 2}));
  EXPECT_TRUE(
      compare(floats({0x3f800003}), floats({0x3f800000}), {.nan_by_class = true, .ulp = 2}));
}

TEST(Compare, SeesShapeDtypeAndKind) {
  EXPECT_TRUE(compare(floats({0}, {1}), floats({0}, {1, 1})));
  EXPECT_TRUE(compare(Value(1), Value(1.0)));
  EXPECT_TRUE(compare(Value(true), Value(1)));
  EXPECT_TRUE(compare(List{}, Tuple{}));
}

TEST(Compare, LooksAtTheDeviceOnlyWhereTheWantedOneIsNamed) {
  TensorValue here = floats({0});
  here.device = {"cuda", 1};
  TensorValue there = here;
  there.device.index = 0;

  EXPECT_FALSE(compare(here, floats({0})));
  EXPECT_TRUE(compare(here, there));
}

TEST(Compare, WalksIntoListsAndDicts) {
  const Value got = List{{Value(1), Dict{{{Value("a"), floats({1})}}}}};
  const Value wanted = List{{Value(1), Dict{{{Value("a"), floats({2})}}}}};

  const auto difference = compare(got, wanted);

  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->where, "item 1, item 1, element [0]");
}

}  // namespace
}  // namespace assay
