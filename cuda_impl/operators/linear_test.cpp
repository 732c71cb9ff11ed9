// Products compared with sums in double, at sizes around the tile size.
#include "cuda_impl/operators/linear.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/sample.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

std::vector<float> floats_of(const Tensor& tensor) {
  return values_of<float>(to(tensor, Dtype::kFloat32));
}

/// Row-major [rows, inner] times [inner, columns]; integers, so that any order of summation is
/// exact.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b,
                           std::size_t inner) {
  const std::size_t columns = b.size() / inner;
  std::vector<float> result;
  for (std::size_t row = 0; row < a.size() / inner; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < inner; ++i) {
        sum +=
            static_cast<double>(a[row * inner + i]) * static_cast<double>(b[i * columns + column]);
      }
      result.push_back(static_cast<float>(sum));
    }
  }
  return result;
}

struct Sizes {
  std::int64_t rows, inner, columns;
};

class LinearOnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Places, LinearOnBoth, testing::Values(kGpu, kCpu),
                         [](const auto& at) { return at.param.is_cuda() ? "Device" : "Host"; });

TEST_P(LinearOnBoth, SizesAroundATileAreMultipliedToTheirEdges) {
  for (const Sizes& size : {Sizes{1, 1, 1}, {2, 3, 2}, {31, 33, 32}, {33, 65, 34}, {3, 0, 2}}) {
    const auto a = sample::numbers<float>(static_cast<std::size_t>(size.rows * size.inner), 1);
    const auto b = sample::numbers<float>(static_cast<std::size_t>(size.inner * size.columns), 2);
    const Tensor left = tensor_of(a, {size.rows, size.inner}, GetParam());
    const Tensor right = tensor_of(b, {size.inner, size.columns}, GetParam());

    const auto wanted = size.inner == 0 ? std::vector<float>(6, 0)
                                        : product(a, b, static_cast<std::size_t>(size.inner));
    EXPECT_EQ(floats_of(mm(left, right)), wanted) << size.rows << ' ' << size.inner;
    const Tensor turned = contiguous(t(right));
    EXPECT_EQ(floats_of(mm(left, t(turned))), wanted) << "transposed";
  }
}

TEST_P(LinearOnBoth, HalvesAreSummedInFloat32AndRoundedOnce) {
  const Tensor row = to(tensor_of(std::vector<float>{2048, 1, 1}, GetParam()), Dtype::kFloat16);
  const Tensor ones = to(tensor_of(std::vector<float>{1, 1, 1}, GetParam()), Dtype::kFloat16);

  EXPECT_EQ(floats_of(dot(row, ones)), (std::vector<float>{2050}));
  EXPECT_EQ(floats_of(mv(reshape(row, {1, 3}), ones)), (std::vector<float>{2050}));
}

TEST_P(LinearOnBoth, AddmmScalesBothAndLeavesOutABiasOfFactorZero) {
  const Tensor left = tensor_of(std::vector<float>{1, 2, 3, 4}, {2, 2}, GetParam());
  const Tensor bias = tensor_of(std::vector<float>{100, NAN}, GetParam());

  const Tensor scaled = addmm(tensor_of(std::vector<float>{100, 200}, GetParam()), left, left,
                              {.beta = 2.0, .alpha = 3.0});

  EXPECT_EQ(floats_of(scaled), (std::vector<float>{221, 430, 245, 466}));
  EXPECT_EQ(floats_of(addmm(bias, left, left, {.beta = 0.0, .alpha = 1.0})),
            (std::vector<float>{7, 10, 15, 22}));
}

TEST_P(LinearOnBoth, LinearTakesAnyNumberOfDimensions) {
  const Tensor input = tensor_of(std::vector<float>{1, 2, 3, 4, 5, 6}, {1, 2, 3}, GetParam());
  const Tensor weight = tensor_of(std::vector<float>{1, 2, 3, -1, 0, 1}, {2, 3}, GetParam());
  const Tensor bias = tensor_of(std::vector<float>{1, -2}, GetParam());

  const Tensor result = linear(input, weight, bias);

  EXPECT_EQ(result.sizes(), (Shape{1, 2, 2}));
  EXPECT_EQ(floats_of(result), (std::vector<float>{15, 0, 33, 0}));
}

TEST_P(LinearOnBoth, BatchesAreBroadcastByMatmul) {
  const Tensor left = tensor_of(std::vector<float>{1, 2, 3, 4}, {2, 1, 2}, GetParam());
  const Tensor right = tensor_of(std::vector<float>{5, 6}, {2, 1}, GetParam());

  EXPECT_EQ(floats_of(matmul(left, right)), (std::vector<float>{17, 39}));
  EXPECT_EQ(matmul(left, right).sizes(), (Shape{2, 1, 1}));
  EXPECT_EQ(matmul(left, reshape(right, {2})).sizes(), (Shape{2, 1}));
}

TEST_P(LinearOnBoth, ConvolutionPadsStridesAndGroups) {
  const Tensor input =
      tensor_of(std::vector<float>{1, 2, 3, 4, 10, 20, 30, 40}, {1, 2, 4}, GetParam());
  const Tensor weight = tensor_of(std::vector<float>{1, 10, 1, 100}, {2, 1, 2}, GetParam());
  const Tensor bias = tensor_of(std::vector<float>{0.5, 0}, GetParam());

  const Tensor result =
      conv1d(input, weight, bias, {.stride = 2, .padding = 1, .dilation = 1, .groups = 2});

  EXPECT_EQ(result.sizes(), (Shape{1, 2, 3}));
  EXPECT_EQ(floats_of(result), (std::vector<float>{10.5, 32.5, 4.5, 1000, 3020, 40}));
}

TEST(Linear, ShapesThatDoNotFitAreRefused) {
  const Tensor matrix = tensor_of(std::vector<float>(6), {2, 3});
  const Tensor whole = tensor_of(std::vector<std::int32_t>(6), {2, 3});

  EXPECT_THROW(mm(matrix, matrix), Error);
  EXPECT_THROW(mm(whole, t(whole)), Error);
  EXPECT_THROW(mm(matrix, t(to(matrix, Dtype::kFloat16))), Error);
  EXPECT_THROW(dot(matrix, matrix), Error);
  EXPECT_THROW(linear(matrix, t(matrix)), Error);
}

}  // namespace
}  // namespace assay::cuda
