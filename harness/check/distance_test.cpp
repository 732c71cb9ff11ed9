// Tests of distances in the value's type, and of pairs without a distance.
#include "harness/check/distance.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "harness/check/compare.hpp"

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

}  // namespace
}  // namespace assay
