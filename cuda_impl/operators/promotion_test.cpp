// Promotion of pairs of dtypes and of operands of different classes.
#include "cuda_impl/operators/promotion.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay::cuda {
namespace {

TEST(Promotion, HalfTypesMeetInFloat32) {
  EXPECT_EQ(promote_types(Dtype::kFloat16, Dtype::kBFloat16), Dtype::kFloat32);
  EXPECT_EQ(promote_types(Dtype::kComplex32, Dtype::kBFloat16), Dtype::kComplex64);
  EXPECT_EQ(promote_types(Dtype::kInt64, Dtype::kFloat16), Dtype::kFloat16);
  EXPECT_EQ(promote_types(Dtype::kUInt8, Dtype::kInt8), Dtype::kInt16);
  EXPECT_EQ(promote_types(Dtype::kBool, Dtype::kUInt8), Dtype::kUInt8);
}

TEST(Promotion, IsTheSameInBothOrdersAndAssociative) {
  constexpr std::array kPlain = {
      Dtype::kUInt8,   Dtype::kInt8,     Dtype::kInt16,     Dtype::kInt32,     Dtype::kInt64,
      Dtype::kFloat16, Dtype::kFloat32,  Dtype::kFloat64,   Dtype::kComplex32, Dtype::kComplex64,
      Dtype::kBool,    Dtype::kBFloat16, Dtype::kComplex128};
  for (const Dtype a : kPlain) {
    for (const Dtype b : kPlain) {
      EXPECT_EQ(promote_types(a, b), promote_types(b, a));
      for (const Dtype c : kPlain) {
        EXPECT_EQ(promote_types(promote_types(a, b), c), promote_types(a, promote_types(b, c)));
      }
    }
  }
}

TEST(Promotion, NamesTypesThatHaveNoneInCommon) {
  try {
    promote_types(Dtype::kQInt8, Dtype::kFloat32);
    FAIL() << "a quantized type was promoted";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("QInt8"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("Float"), std::string::npos) << error.message();
  }
  EXPECT_THROW(promote_types(Dtype::kUInt16, Dtype::kInt64), Error);
  EXPECT_EQ(promote_types(Dtype::kUInt16, Dtype::kFloat16), Dtype::kFloat16);
}

Operand with_dims(Dtype dtype) { return empty({2}, dtype, kMeta); }
Operand without_dims(Dtype dtype) { return empty({}, dtype, kMeta); }

TEST(Promotion, ALowerClassDecidesOnlyByItsCategory) {
  const std::array kept{with_dims(Dtype::kFloat16), without_dims(Dtype::kFloat64)};
  EXPECT_EQ(result_type(kept), Dtype::kFloat16);
  const std::array raised{with_dims(Dtype::kInt32), without_dims(Dtype::kFloat64)};
  EXPECT_EQ(result_type(raised), Dtype::kFloat64);
  const std::array imaginary{with_dims(Dtype::kInt32), without_dims(Dtype::kFloat16),
                             Operand(Scalar(std::complex<double>(0, 1)))};
  EXPECT_EQ(result_type(imaginary), Dtype::kComplex32);
}

TEST(Promotion, NumbersEnterByTheirKind) {
  const std::array whole{with_dims(Dtype::kBool), Operand(Scalar(1))};
  EXPECT_EQ(result_type(whole), Dtype::kInt64);
  const std::array real{with_dims(Dtype::kInt32), Operand(1.5)};
  EXPECT_EQ(result_type(real), Dtype::kFloat32);
  EXPECT_EQ(result_type(real, Dtype::kFloat16), Dtype::kFloat16);
}

TEST(Promotion, ThreeKindsOfCastAreRefused) {
  EXPECT_FALSE(can_cast(Dtype::kComplex64, Dtype::kFloat64));
  EXPECT_FALSE(can_cast(Dtype::kFloat16, Dtype::kInt64));
  EXPECT_FALSE(can_cast(Dtype::kInt64, Dtype::kBool));
  EXPECT_TRUE(can_cast(Dtype::kFloat64, Dtype::kFloat16));
  EXPECT_TRUE(can_cast(Dtype::kBool, Dtype::kBool));
}

}  // namespace
}  // namespace assay::cuda
