// Tests of differences between values, and of their distances in words.
#include "harness/check/compare.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Distance, OfNeighboursIsCountedInTheTypeOfTheElement) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x4400, 0x4402), " by 2 ULP of float16");
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x4080, 0x4081), " by 1 ULP of bfloat16");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x40800000, 0x408003e8), " by 1000 ULP of float32");
  EXPECT_EQ(distance_in_words(Dtype::kFloat64, 0x4010000000000000, 0x4010000000000001),
            " by 1 ULP of float64");
}

TEST(Distance, OfOthersIsTheirRatio) {
  EXPECT_EQ(distance_in_words(8.0, 16.0), ": half of it");
  EXPECT_EQ(distance_in_words(16.0, 8.0), ": twice it");
  EXPECT_EQ(distance_in_words(-4.0, 16.0), ": minus 1/4 of it");
  EXPECT_EQ(distance_in_words(0x1p+12, 1.0), ": 4096 times it");
  EXPECT_EQ(distance_in_words(0x1p+13, 1.0), ": 8.19e+03 times it");
  EXPECT_EQ(distance_in_words(1.0625, 1.0), " by 6.2 %");
  EXPECT_EQ(distance_in_words(0.0, 16.0), ": zero");
  EXPECT_EQ(distance_in_words(16.0, -0.0), ": not zero");
  EXPECT_EQ(distance_in_words(0x1p+1000, 0x1p-1000), ": of another order of magnitude");
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x4400, 0x4c00), ": 1/4 of it");
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x4080, 0x4180), ": 1/4 of it");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x40800000, 0x408003e9), " by 0.012 %");
  EXPECT_EQ(distance_in_words(Dtype::kFloat64, 0x4010000000000000, 0x4030000000000000),
            ": 1/4 of it");
}

TEST(Distance, OfNumbersIsCountedInFloat32WhereItHoldsBoth) {
  EXPECT_EQ(distance_in_words(1.0, 1.0 + 0x1p-23), " by 1 ULP of float32");
  EXPECT_EQ(distance_in_words(1.0, 1.0 + 0x1p-52), " by 1 ULP of float64");
  EXPECT_EQ(distance_in_words(0x1p+128, 0x1.0000000000001p+128), " by 1 ULP of float64");
  EXPECT_EQ(compare(1.0, 1.0 + 0x1p-23)->distance, " by 1 ULP of float32");
}

TEST(Distance, AcrossZeroCountsBothSidesOfIt) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x8001, 0x0002), " by 3 ULP of float16");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x80000000, 0x00000001), " by 1 ULP of float32");
}

TEST(Distance, OfOppositeNumbersIsTheSign) {
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x8000, 0x0000), " by the sign alone");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x7f800000, 0xff800000), " by the sign alone");
  EXPECT_EQ(distance_in_words(-0.0, 0.0), " by the sign alone");
  EXPECT_EQ(distance_in_words(1.5, -1.5), " by the sign alone");
}

TEST(Distance, OfWhatIsNotFiniteIsNoNumber) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x7c00, 0x7bff), " by an infinity on one side");
  EXPECT_EQ(distance_in_words(Dtype::kFloat64, 0xfff0000000000000, 0),
            " by an infinity on one side");
  EXPECT_EQ(distance_in_words(kInf, 1.0), " by an infinity on one side");
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x7fc0, 0x3f80), " by a NaN on one side");
  EXPECT_EQ(distance_in_words(kNan, kInf), " by a NaN on one side");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x7fc00000, 0xff800001), " by the bits of the NaN");
}

TEST(Distance, OfEqualBitsAndOfIntegersIsEmpty) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 1, 1), "");
  EXPECT_EQ(distance_in_words(Dtype::kInt32, 1, 2), "");
  EXPECT_EQ(distance_in_words(Dtype::kBool, 0, 1), "");
}

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

TEST(Compare, ARelativeToleranceIsAPartOfTheValueInEveryType) {
  const Tolerance part{.relative = 1e-4};
  EXPECT_FALSE(compare(floats({0x3f800300}), floats({0x3f800000}), part));
  EXPECT_TRUE(compare(floats({0x3f800400}), floats({0x3f800000}), part));
  TensorValue half;
  half.dtype = Dtype::kFloat16;
  half.data = {0x00, 0x3c};
  TensorValue next = half;
  next.data[0] = 1;
  EXPECT_TRUE(compare(next, half, part));
  EXPECT_FALSE(compare(Value(1.0 + 1e-5), Value(1.0), part));
  EXPECT_TRUE(compare(Value(1.0 + 1e-3), Value(1.0), part));
  EXPECT_TRUE(compare(floats({0x7f800000}), floats({0x7f7fffff}), {.ulp = 4, .relative = 1e-4}));
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
