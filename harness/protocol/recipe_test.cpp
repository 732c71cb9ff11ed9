// Tests of recipes and digests with known results.
#include "harness/protocol/recipe.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TensorValue made_of(Dtype dtype, const std::vector<std::uint64_t>& elements) {
  TensorValue tensor;
  tensor.dtype = dtype;
  tensor.shape = {static_cast<std::int64_t>(elements.size())};
  tensor.data.resize(elements.size() * bits_per_element(dtype) / 8);
  for (std::size_t i = 0; i < elements.size(); ++i) tensor.set_bits(i, elements[i]);
  return tensor;
}

TensorValue recipe_of(Dtype dtype, std::int64_t count, Recipe recipe) {
  TensorValue tensor;
  tensor.dtype = dtype;
  tensor.shape = {count};
  tensor.recipe = std::move(recipe);
  return tensor;
}

TEST(RecipeTest, TheHashIsThatOfSplitMix64) {
  // The published sequence for seed 0: the state grows by the golden ratio before each output.
  const Recipe recipe{Recipe::Kind::kHash, 0x9e3779b97f4a7c15, 0x9e3779b97f4a7c15, {}};

  EXPECT_EQ(recipe_bits(recipe, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(recipe_bits(recipe, 1), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(recipe_bits(recipe, 2), 0x06c45d188009454fu);
}

TEST(RecipeTest, CountersWrapAndAreCutToTheElement) {
  const Recipe recipe{Recipe::Kind::kCounter, UINT64_MAX - 1, 3, {{2, 0xabcd}}};

  const TensorValue wide = materialize(recipe_of(Dtype::kInt64, 3, recipe));
  const TensorValue narrow = materialize(recipe_of(Dtype::kFloat16, 3, recipe));

  EXPECT_FALSE(wide.recipe.has_value());
  EXPECT_EQ(wide.bits_at(0), UINT64_MAX - 1);
  EXPECT_EQ(wide.bits_at(1), 1u);
  EXPECT_EQ(wide.bits_at(2), 0xabcdu);
  EXPECT_EQ(narrow.bits_at(0), 0xfffeu);
  EXPECT_EQ(narrow.bits_at(2), 0xabcdu);
}

TEST(RecipeTest, BoolsAreZeroOrOne) {
  const TensorValue made =
      materialize(recipe_of(Dtype::kBool, 4, {Recipe::Kind::kCounter, 0, 1, {}}));

  EXPECT_EQ(made.data, (std::vector<std::uint8_t>{0, 1, 0, 1}));
}

TEST(DigestTest, TheSumIsThatOfZlib) {
  const TensorValue text = made_of(Dtype::kUint8, {'1', '2', '3', '4', '5', '6', '7', '8', '9'});

  EXPECT_EQ(digest_of(text, 9).crc, std::vector<std::uint32_t>{0xcbf43926});
  EXPECT_EQ(digest_of(text, 4).crc.size(), 3u) << "the last block is the shorter one";
}

TEST(DigestTest, EveryNanCountsAsTheCanonicalOne) {
  struct Row {
    Dtype dtype;
    std::uint64_t payload, negative, infinity, canonical;
  };
  for (const Row& row : {Row{Dtype::kFloat16, 0x7c01, 0xfe00, 0x7c00, 0x7e00},
                         Row{Dtype::kBfloat16, 0x7f81, 0xffff, 0xff80, 0x7fc0},
                         Row{Dtype::kFloat32, 0x7f800001, 0xffc00000, 0x7f800000, 0x7fc00000},
                         Row{Dtype::kFloat64, 0x7ff0000000000001, 0xfff8000000000000,
                             0xfff0000000000000, 0x7ff8000000000000}}) {
    const auto raw = made_of(row.dtype, {row.payload, row.negative, row.infinity});
    const auto canonical = made_of(row.dtype, {row.canonical, row.canonical, row.infinity});

    EXPECT_EQ(digest_of(raw, 3), digest_of(canonical, 3)) << name_of(row.dtype);
    EXPECT_NE(digest_of(raw, 3, true), digest_of(canonical, 3)) << name_of(row.dtype);
    EXPECT_EQ(canonical_bits(row.dtype, row.payload), row.canonical);
    EXPECT_EQ(canonical_bits(row.dtype, row.infinity), row.infinity);
  }
}

TEST(DigestTest, IntegersAreTakenAsTheyAre) {
  EXPECT_EQ(canonical_bits(Dtype::kInt32, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(canonical_bits(Dtype::kInt64, UINT64_MAX), UINT64_MAX);
}

}  // namespace
}  // namespace assay
