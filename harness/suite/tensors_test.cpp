// Tests of tensors by value: exact bits, and rejection of inexact values.
#include "harness/suite/tensors.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Tensors, KnowTheBitsOfEveryFloatingType) {
  EXPECT_EQ(exact_bits(Dtype::kFloat16, 65504), 0x7bffu);
  EXPECT_EQ(exact_bits(Dtype::kFloat16, 0x1p-24), 0x0001u);
  EXPECT_EQ(exact_bits(Dtype::kFloat16, -0.0), 0x8000u);
  EXPECT_EQ(exact_bits(Dtype::kBfloat16, 1.0), 0x3f80u);
  EXPECT_EQ(exact_bits(Dtype::kBfloat16, 0x1p-133), 0x0001u);
  EXPECT_EQ(exact_bits(Dtype::kFloat32, 0x1p-149), 0x00000001u);
  EXPECT_EQ(exact_bits(Dtype::kFloat32, 0x1.fffffep+127), 0x7f7fffffu);
  EXPECT_EQ(exact_bits(Dtype::kFloat64, 0x1p-1074), 1u);
  EXPECT_EQ(exact_bits(Dtype::kFloat32, -kInf), 0xff800000u);
}

TEST(Tensors, RefuseWhatWouldBeRounded) {
  EXPECT_THROW(exact_bits(Dtype::kFloat16, 65505), std::invalid_argument);
  EXPECT_THROW(exact_bits(Dtype::kFloat16, 65536), std::invalid_argument);
  EXPECT_THROW(exact_bits(Dtype::kFloat16, 0x1p-25), std::invalid_argument);
  EXPECT_THROW(exact_bits(Dtype::kFloat32, 0.1), std::invalid_argument);
  EXPECT_THROW(exact_bits(Dtype::kInt32, 0.5), std::invalid_argument);
  EXPECT_THROW(exact_bits(Dtype::kInt32, 2147483648.0), std::invalid_argument);
}

TEST(Tensors, HoldNegativeIntegersInTwosComplement) {
  EXPECT_EQ(i32({-1}).bits_at(0), 0xffffffffu);
  EXPECT_EQ(i64({-2}).bits_at(0), 0xfffffffffffffffeu);
}

TEST(Tensors, KeepTheirElementsInAnotherShapeOnly) {
  EXPECT_EQ(shaped(f32({1, 2, 3, 4}), {2, 2}).shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_THROW(shaped(f32({1, 2, 3}), {2, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
