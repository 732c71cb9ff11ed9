// Tests of distances in the value's type, and of pairs without a distance.
#include "harness/check/distance.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "harness/check/compare.hpp"

namespace assay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Distance, IsCountedInTheTypeOfTheElement) {
  // 4 and 16 in each type: two exponent steps.
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x4400, 0x4c00), "2048 ULP of float16");
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x4080, 0x4180), "256 ULP of bfloat16");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x40800000, 0x41800000), "16777216 ULP of float32");
  EXPECT_EQ(distance_in_words(Dtype::kFloat64, 0x4010000000000000, 0x4030000000000000),
            "9007199254740992 ULP of float64");
}

TEST(Distance, OfNumbersIsCountedInFloat32WhereItHoldsBoth) {
  EXPECT_EQ(distance_in_words(4.0, 16.0), "16777216 ULP of float32");
  EXPECT_EQ(distance_in_words(1.0, 1.0 + 0x1p-23), "1 ULP of float32");
  EXPECT_EQ(distance_in_words(1.0, 1.0 + 0x1p-52), "1 ULP of float64");
  EXPECT_EQ(distance_in_words(0x1p+128, 0x1.0000000000001p+128), "1 ULP of float64");
  EXPECT_EQ(compare(16.0, 4.0)->distance, "16777216 ULP of float32");
}

TEST(Distance, AcrossZeroCountsBothSidesOfIt) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x8001, 0x0002), "3 ULP of float16");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x80000000, 0x00000001), "1 ULP of float32");
}

TEST(Distance, OfOppositeNumbersIsTheSign) {
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x8000, 0x0000), "the sign alone");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x7f800000, 0xff800000), "the sign alone");
  EXPECT_EQ(distance_in_words(-0.0, 0.0), "the sign alone");
  EXPECT_EQ(distance_in_words(1.5, -1.5), "the sign alone");
}

TEST(Distance, OfWhatIsNotFiniteIsNoNumber) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat16, 0x7c00, 0x7bff), "an infinity on one side");
  EXPECT_EQ(distance_in_words(Dtype::kFloat64, 0xfff0000000000000, 0), "an infinity on one side");
  EXPECT_EQ(distance_in_words(kInf, 1.0), "an infinity on one side");
  EXPECT_EQ(distance_in_words(Dtype::kBfloat16, 0x7fc0, 0x3f80), "a NaN on one side");
  EXPECT_EQ(distance_in_words(kNan, kInf), "a NaN on one side");
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 0x7fc00000, 0xff800001), "the bits of the NaN");
}

TEST(Distance, OfEqualBitsAndOfIntegersIsEmpty) {
  EXPECT_EQ(distance_in_words(Dtype::kFloat32, 1, 1), "");
  EXPECT_EQ(distance_in_words(Dtype::kInt32, 1, 2), "");
  EXPECT_EQ(distance_in_words(Dtype::kBool, 0, 1), "");
}

}  // namespace
}  // namespace assay
