// Scalars: ranges, wrapping, and the bits of elements.
#include "cuda_impl/core/scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr Contract kStrict{};
constexpr Contract kCompat{Release::k2_11, false};

std::uint64_t bits(const Scalar& scalar, Dtype dtype, const Contract& contract = kStrict) {
  const Element element = to_element(scalar, dtype, contract);
  std::uint64_t value = 0;
  std::memcpy(&value, element.data(), std::min<std::size_t>(size_bytes(dtype), sizeof value));
  return value;
}

TEST(Scalar, ARangeEndsAtTheLargestNumber) {
  EXPECT_EQ(bits(65504, Dtype::kFloat16), 0x7bffu);
  EXPECT_THROW(bits(65505, Dtype::kFloat16), Error);
  EXPECT_THROW(bits(1e39, Dtype::kBFloat16), Error);
  EXPECT_EQ(bits(std::numeric_limits<double>::infinity(), Dtype::kFloat16), 0x7c00u);
}

TEST(Scalar, NegativeIntegersWrapIntoUnsignedTypesAndFloatsDoNot) {
  EXPECT_EQ(bits(-1, Dtype::kUInt8), 255u);
  EXPECT_EQ(bits(-255, Dtype::kUInt8), 1u);
  EXPECT_THROW(bits(-256, Dtype::kUInt8), Error);
  EXPECT_THROW(bits(-1.0, Dtype::kUInt8), Error);
}

TEST(Scalar, TwoToThe63IsNoInt64UnlessDoublesAreCompared) {
  EXPECT_THROW(bits(0x1p63, Dtype::kInt64), Error);
  EXPECT_EQ(bits(0x1p63, Dtype::kInt64, kCompat), 1ull << 63);
  EXPECT_EQ(bits(-0x1p63, Dtype::kInt64), 1ull << 63);
}

TEST(Scalar, DoublesBecomeHalfByWayOfFloat) {
  EXPECT_EQ(bits(1 + 0x1p-11 + 0x1p-40, Dtype::kFloat16), 0x3c00u);
  EXPECT_EQ(bits(0.1, Dtype::kBFloat16), 0x3dcdu);
}

TEST(Scalar, ElementsComeBackAsTheWidestOfTheirKind) {
  for (const double value : {0.0, 1.5, -2.0}) {
    for (const Dtype dtype :
         {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64}) {
      const Element element = to_element(value, dtype, kStrict);
      EXPECT_EQ(from_element(element.data(), dtype).as<double>(), value);
    }
  }
  const Element minus_seven = to_element(-7, Dtype::kInt16, kStrict);
  EXPECT_EQ(from_element(minus_seven.data(), Dtype::kInt16).as<std::int64_t>(), -7);
}

TEST(Scalar, ABoolIsNoNumber) {
  EXPECT_TRUE(equal(3, 3.0));
  EXPECT_FALSE(equal(true, 1));
  EXPECT_FALSE(equal(std::nan(""), std::nan("")));
  EXPECT_THROW(negated(true), Error);
}

}  // namespace
}  // namespace assay::cuda
