// Softmax, layer norm and mean squared error compared with double, at row lengths around a block.
#include "cuda_impl/operators/normalize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cuda_impl/kernels/exponential.cuh"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

/// The distance in ULP of the expected float.
double ulps(float got, double wanted) {
  const auto nearest = static_cast<float>(wanted);
  const double unit = std::nextafter(std::fabs(nearest), INFINITY) - std::fabs(nearest);
  return std::fabs(static_cast<double>(got) - wanted) / unit;
}

class NormalizeOnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Places, NormalizeOnBoth, testing::Values(kGpu, kCpu),
                         [](const auto& at) { return at.param.is_cuda() ? "Device" : "Host"; });

TEST(Exponential, IsWithinTwoUlpWhereverItIsANormalNumber) {
  for (float x = -87; x < 88.7f; x += 0.01f) {
    ASSERT_LE(ulps(exponential(x), std::exp(static_cast<double>(x))), 2) << x;
  }
  EXPECT_EQ(exponential(0.0f), 1);
  EXPECT_EQ(exponential(-INFINITY), 0);
  EXPECT_TRUE(std::isinf(exponential(89.0f)));
  EXPECT_TRUE(std::isnan(exponential(NAN)));
  EXPECT_GT(exponential(-103.0f), 0);
}

TEST_P(NormalizeOnBoth, SoftmaxIsWithinFourUlp) {
  for (const std::size_t count : {1u, 5u, 255u, 257u, 600u}) {
    const std::vector<float> values = sample::numbers<float>(2 * count);
    const auto row = static_cast<std::int64_t>(count);

    const auto got = values_of<float>(softmax(tensor_of(values, {2, row}, GetParam()), -1));

    for (std::size_t first : {std::size_t{0}, count}) {
      double total = 0;
      for (std::size_t i = 0; i < count; ++i) {
        total += std::exp(static_cast<double>(values[first + i]));
      }
      for (std::size_t i = first; i < first + count; ++i) {
        const double wanted = std::exp(static_cast<double>(values[i])) / total;
        ASSERT_LE(ulps(got[i], wanted), 4) << count << " elements, element " << i;
      }
    }
  }
}

TEST_P(NormalizeOnBoth, SoftmaxGoesAlongAnyDimension) {
  const Tensor table = tensor_of(std::vector<float>{0, 1000, 0, 1000}, {2, 2}, GetParam());

  EXPECT_EQ(values_of<float>(softmax(table, 0)), (std::vector<float>{0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(values_of<float>(softmax(table, 1)), (std::vector<float>{0, 1, 0, 1}));
}

TEST_P(NormalizeOnBoth, LayerNormIsWithinFourUlpAndTakesParameters) {
  const Tensor row = tensor_of(std::vector<float>{1, 2, 3, 4}, GetParam());
  const Tensor weight = tensor_of(std::vector<float>{2, 2, 2, 2}, GetParam());
  const Tensor bias = tensor_of(std::vector<float>{1, 1, 1, 1}, GetParam());
  const double deviation = std::sqrt(1.25 + 1e-5);

  const auto plain = values_of<float>(layer_norm(row, {4}));
  const auto moved = values_of<float>(layer_norm(row, {4}, {weight, bias, 1e-5}));

  for (std::size_t i = 0; i < 4; ++i) {
    const double wanted = (static_cast<double>(i) - 1.5) / deviation;
    EXPECT_LE(ulps(plain[i], wanted), 4);
    EXPECT_NEAR(static_cast<double>(moved[i]), 2 * wanted + 1, 1e-6);
  }
  EXPECT_THROW(layer_norm(row, {3}), Error);
}

TEST_P(NormalizeOnBoth, TheMeanSquaredErrorOfHalvesIsComputedInFloat32) {
  const auto halves = [&](const std::vector<float>& values) {
    return to(tensor_of(values, GetParam()), Dtype::kFloat16);
  };

  const Tensor loss = mse_loss(halves({300, 0}), halves({0, 0}));

  EXPECT_EQ(loss.dtype(), Dtype::kFloat16);
  EXPECT_EQ(values_of<float>(to(loss, Dtype::kFloat32)).front(), 44992);
  EXPECT_EQ(values_of<float>(mse_loss(tensor_of(std::vector<float>{1, 2}, GetParam()),
                                      tensor_of(std::vector<float>{3, 5}, GetParam())))
                .front(),
            6.5f);
}

}  // namespace
}  // namespace assay::cuda
