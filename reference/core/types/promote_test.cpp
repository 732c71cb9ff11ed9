// The promotion table, and examples of the category rule.
#include "reference/core/types/promote.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

using enum ScalarType;

constexpr std::array kOrder{kByte,          kChar,  kShort,   kInt,         kLong,
                            kHalf,          kFloat, kDouble,  kComplexHalf, kComplexFloat,
                            kComplexDouble, kBool,  kBFloat16};
constexpr std::array<const char*, 13> kShort13{"u8",  "i8",  "i16", "i32",  "i64", "f16", "f32",
                                               "f64", "c32", "c64", "c128", "b",   "bf16"};
/// The upper triangle, one row a line.
constexpr const char* kTable =
    "u8 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 u8 bf16 "
    "i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 i8 bf16 "
    "i16 i32 i64 f16 f32 f64 c32 c64 c128 i16 bf16 "
    "i32 i64 f16 f32 f64 c32 c64 c128 i32 bf16 "
    "i64 f16 f32 f64 c32 c64 c128 i64 bf16 "
    "f16 f32 f64 c32 c64 c128 f16 f32 "
    "f32 f64 c64 c64 c128 f32 f32 "
    "f64 c128 c128 c128 f64 f64 "
    "c32 c64 c128 c32 c64 "
    "c64 c128 c64 c64 "
    "c128 c128 c128 "
    "b bf16 "
    "bf16";

ScalarType type_of(const std::string& word) {
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (word == kShort13[i]) return kOrder[i];
  }
  return kUndefined;
}

TEST(Promote, agrees_with_the_table_of_the_specification_in_both_directions) {
  std::istringstream table(kTable);
  for (std::size_t row = 0; row < kOrder.size(); ++row) {
    for (std::size_t column = row; column < kOrder.size(); ++column) {
      std::string word;
      table >> word;
      const ScalarType wanted = type_of(word);

      EXPECT_EQ(promote_types(kOrder[row], kOrder[column], {}), wanted)
          << kShort13[row] << " with " << kShort13[column];
      EXPECT_EQ(promote_types(kOrder[column], kOrder[row], {}), wanted)
          << kShort13[column] << " with " << kShort13[row];
    }
  }
}

TEST(Promote, is_associative) {
  for (const ScalarType a : kOrder) {
    for (const ScalarType b : kOrder) {
      for (const ScalarType c : kOrder) {
        EXPECT_EQ(promote_types(promote_types(a, b, {}), c, {}),
                  promote_types(a, promote_types(b, c, {}), {}));
      }
    }
  }
}

TEST(Promote, refuses_a_quantised_type_with_another) {
  EXPECT_THROW(promote_types(kQInt8, kFloat, {}), Error);
  EXPECT_EQ(promote_types(kQInt8, kQInt8, {}), kQInt8);
}

TEST(Promote, lower_classes_change_only_the_category) {
  using Class = TypedOperand::Class;
  const auto type = [](TypedOperand left, TypedOperand right, ScalarType fallback = kFloat) {
    return result_type({left, right}, fallback, {});
  };

  EXPECT_EQ(type({Class::kDim, kHalf}, {Class::kZeroDim, kDouble}), kHalf);
  EXPECT_EQ(type({Class::kDim, kInt}, {Class::kZeroDim, kDouble}), kDouble);
  EXPECT_EQ(type({Class::kDim, kByte}, {Class::kScalar, kLong}), kByte);
  EXPECT_EQ(type({Class::kDim, kBool}, {Class::kScalar, kLong}), kLong);
  EXPECT_EQ(type({Class::kDim, kInt}, {Class::kScalar, kDouble}, kHalf), kHalf);
  EXPECT_EQ(type({Class::kDim, kHalf}, {Class::kScalar, kComplexDouble}), kComplexHalf);
  EXPECT_EQ(type({Class::kDim, kInt}, {Class::kScalar, kComplexDouble}), kComplexFloat);
  EXPECT_EQ(type({Class::kDim, kDouble}, {Class::kScalar, kComplexDouble}), kComplexDouble);
  EXPECT_EQ(type({Class::kZeroDim, kHalf}, {Class::kDim, kBFloat16}), kBFloat16);
  EXPECT_EQ(type({Class::kDim, kHalf}, {Class::kDim, kBFloat16}), kFloat);
}

TEST(Promote, casts_everything_but_downwards_in_category) {
  EXPECT_TRUE(can_cast(kDouble, kHalf));
  EXPECT_TRUE(can_cast(kLong, kByte));
  EXPECT_TRUE(can_cast(kInt, kFloat));
  EXPECT_FALSE(can_cast(kFloat, kLong));
  EXPECT_FALSE(can_cast(kComplexFloat, kFloat));
  EXPECT_FALSE(can_cast(kByte, kBool));
}

}  // namespace
}  // namespace assay::reference
