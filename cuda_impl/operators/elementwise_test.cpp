// Element-wise operators: promotion, broadcasting, rounding, devices and strides.
#include "cuda_impl/operators/elementwise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> floats_of(const Tensor& tensor) {
  return values_of<float>(to(tensor, Dtype::kFloat32));
}

Tensor halves(const std::vector<float>& values, Device device = kGpu) {
  return to(tensor_of(values, device), Dtype::kFloat16);
}

class ElementwiseOnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Places, ElementwiseOnBoth, testing::Values(kGpu, kCpu),
                         [](const auto& at) { return at.param.is_cuda() ? "Device" : "Host"; });

TEST_P(ElementwiseOnBoth, HalfSumsAreRoundedOnce) {
  const Tensor sum =
      add(halves({2048, 2050, 65504}, GetParam()), halves({1, 1, 65504}, GetParam()));

  EXPECT_EQ(sum.dtype(), Dtype::kFloat16);
  EXPECT_EQ(floats_of(sum), (std::vector<float>{2048, 2052, kInf}));
}

TEST_P(ElementwiseOnBoth, IntegersWrapAndBoolsAreOred) {
  const Tensor most = tensor_of(std::vector<std::int32_t>{0x7fffffff}, GetParam());
  const Tensor yes = to(tensor_of(std::vector<float>{1, 0}, GetParam()), Dtype::kBool);

  EXPECT_EQ(values_of<std::int32_t>(add(most, Scalar(1))).front(),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(add(yes, yes).dtype(), Dtype::kBool);
  EXPECT_EQ(floats_of(add(yes, yes)), (std::vector<float>{1, 0}));
  EXPECT_EQ(floats_of(mul(yes, yes)), (std::vector<float>{1, 0}));
}

TEST_P(ElementwiseOnBoth, EveryTypeAddsAndMultipliesWholeNumbers) {
  for (const Dtype dtype : {Dtype::kFloat64, Dtype::kFloat32, Dtype::kFloat16, Dtype::kBFloat16,
                            Dtype::kInt64, Dtype::kInt32, Dtype::kInt16, Dtype::kInt8}) {
    const std::vector<float> a = sample::numbers<float>(37, 1);
    const std::vector<float> b = {2, -3, 1};
    const Tensor left = to(tensor_of(a, GetParam()), dtype);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Tensor right = to(tensor_of(std::vector<float>(37, b[i]), GetParam()), dtype);
      const auto sums = floats_of(add(left, right, Scalar(2)));
      const auto products = floats_of(mul(left, right));
      for (std::size_t j = 0; j < a.size(); ++j) {
        ASSERT_EQ(sums[j], a[j] + 2 * b[i]) << facts(dtype).name << " element " << j;
        ASSERT_EQ(products[j], a[j] * b[i]) << facts(dtype).name << " element " << j;
      }
    }
  }
}

TEST_P(ElementwiseOnBoth, OperandsAreBroadcast) {
  const Tensor column = tensor_of(std::vector<float>{10, 20}, {2, 1}, GetParam());
  const Tensor row = tensor_of(std::vector<float>{1, 2, 3}, GetParam());

  const Tensor sum = add(column, row);

  EXPECT_EQ(sum.sizes(), (Shape{2, 3}));
  EXPECT_EQ(floats_of(sum), (std::vector<float>{11, 12, 13, 21, 22, 23}));
}

TEST_P(ElementwiseOnBoth, ReluKeepsNaNAndOnTheHostNegativeZero) {
  const auto got = floats_of(relu(halves({-1, -0.0f, 2, NAN, -kInf}, GetParam())));

  EXPECT_EQ(got[0], 0);
  EXPECT_EQ(std::signbit(got[1]), !GetParam().is_cuda());
  EXPECT_EQ(got[2], 2);
  EXPECT_TRUE(std::isnan(got[3]));
  EXPECT_EQ(got[4], 0);
}

TEST_P(ElementwiseOnBoth, NegationTurnsTheSignOfZero) {
  const auto got = floats_of(neg(tensor_of(std::vector<float>{0.0f, -0.0f, 3}, GetParam())));

  EXPECT_TRUE(std::signbit(got[0]));
  EXPECT_FALSE(std::signbit(got[1]));
  EXPECT_EQ(got[2], -3);
}

TEST_P(ElementwiseOnBoth, RowsOfAnyLengthAndAlignmentAreComputedToTheirEnds) {
  const std::vector<float> a = sample::numbers<float>(5000, 1);
  const std::vector<float> b = sample::numbers<float>(5000, 2);
  const Tensor left = tensor_of(a, GetParam());
  const Tensor right = tensor_of(b, GetParam());
  for (const std::int64_t length : {1, 3, 4, 15, 16, 17, 63, 1025, 4095, 4990}) {
    for (const std::int64_t offset : {0, 1, 3, 4}) {
      const auto got = floats_of(add(as_strided(left, {length}, {1}, offset),
                                     as_strided(right, {length}, {1}, 2 * offset)));
      for (std::size_t i = 0; i < got.size(); ++i) {
        const auto at = static_cast<std::size_t>(offset);
        ASSERT_EQ(got[i], a[i + at] + b[i + 2 * at]) << length << ' ' << offset << ' ' << i;
      }
    }
  }
}

TEST(Elementwise, ANumberBesideHalvesIsWideOnADeviceAndAnElementIsNot) {
  const Tensor zero = halves({0, 0});
  const Tensor huge = tensor_of(std::vector<float>{1e18f}, Shape{});

  EXPECT_EQ(floats_of(mul(zero, Scalar(1e18))), (std::vector<float>{0, 0}));
  EXPECT_TRUE(std::isnan(floats_of(mul(zero, huge)).front()));
}

TEST(Elementwise, ASummandOnTheHostIsNarrow) {
  const Tensor infinite = halves({-kInf, kInf}, kCpu);

  const auto sum = floats_of(add(infinite, Scalar(1e18)));

  EXPECT_TRUE(std::isnan(sum[0]));
  EXPECT_EQ(sum[1], kInf);
  EXPECT_EQ(floats_of(mul(halves({0}, kCpu), Scalar(1e18))).front(), 0);
  EXPECT_TRUE(std::isnan(floats_of(mul(halves({0}, kCpu), Scalar(1e18), Release::k1_13)).front()));
}

TEST(Elementwise, IntegersAreDividedInFloat32) {
  const Tensor quotient = div(tensor_of(std::vector<std::int32_t>{1, 3}), Scalar(2));

  EXPECT_EQ(quotient.dtype(), Dtype::kFloat32);
  EXPECT_EQ(floats_of(quotient), (std::vector<float>{0.5f, 1.5f}));
}

TEST(Elementwise, ResultsTakeTheOrderOfTheirOperands) {
  const Tensor turned = as_strided(tensor_of(std::vector<float>(6)), {3, 2}, {1, 3}, 0);
  const Tensor row = tensor_of(std::vector<float>(2));
  const Tensor odd = as_strided(row, {1, 2}, {0, 1}, 0);

  EXPECT_EQ(add(turned, turned).strides(), (Shape{1, 3}));
  EXPECT_EQ(add(turned, row).strides(), (Shape{1, 3}));
  EXPECT_EQ(relu(odd).strides(), (Shape{2, 1}));
}

TEST(Elementwise, AddsInPlaceAndCountsOneVersion) {
  const Tensor target = halves({1, 2});
  const std::uint64_t before = target.version();

  add_(target, tensor_of(std::vector<float>{0x1p-12f, 1}));

  EXPECT_EQ(floats_of(target), (std::vector<float>{1, 3}));
  EXPECT_EQ(target.version(), before + 1);
}

TEST(Elementwise, RefusesTargetsThatCannotHoldTheResult) {
  const Tensor whole = tensor_of(std::vector<std::int32_t>{1, 2});
  const Tensor one = tensor_of(std::vector<float>{1}, {1, 1});

  EXPECT_THROW(add_(whole, Scalar(1.5)), Error);
  EXPECT_THROW(add_(whole, tensor_of(std::vector<std::int32_t>{1, 2}, {2, 1})), Error);
  EXPECT_THROW(add_(as_strided(one, {3}, {0}, 0), Scalar(1)), Error);
}

TEST(Elementwise, NamesBothDevices) {
  try {
    add(tensor_of(std::vector<float>{1}), tensor_of(std::vector<float>{1}, cuda_device(1)));
    FAIL() << "operands on two devices were added";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("cuda:0"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("cuda:1"), std::string::npos) << error.message();
  }
}

TEST(Elementwise, MetaTensorsHaveShapesAndTypesOnly) {
  const Tensor sum = add(empty({2, 3}, Dtype::kFloat32, kMeta), empty({3}, Dtype::kFloat64, kMeta));

  EXPECT_EQ(sum.sizes(), (Shape{2, 3}));
  EXPECT_EQ(sum.dtype(), Dtype::kFloat64);
  EXPECT_TRUE(sum.is_meta());
}

}  // namespace
}  // namespace assay::cuda
