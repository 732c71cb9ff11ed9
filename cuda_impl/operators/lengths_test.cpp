// Operators at lengths around vectors, warps, blocks and tiles, on a device and on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/losses.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/sample.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

class LengthsOnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Places, LengthsOnBoth, testing::Values(kGpu, kCpu),
                         [](const auto& at) { return at.param.is_cuda() ? "Device" : "Host"; });

TEST_P(LengthsOnBoth, RowsOfAnyLengthAndAlignmentAreComputedToTheirEnds) {
  const std::vector<float> a = sample::numbers<float>(5000, 1);
  const std::vector<float> b = sample::numbers<float>(5000, 2);
  const Tensor left = tensor_of(a, GetParam());
  const Tensor right = tensor_of(b, GetParam());
  for (const std::int64_t length : {1, 3, 4, 15, 16, 17, 63, 1025, 4095, 4990}) {
    for (const std::int64_t offset : {0, 1, 3, 4}) {
      const auto got = values_of<float>(add(as_strided(left, {length}, {1}, offset),
                                            as_strided(right, {length}, {1}, 2 * offset)));
      for (std::size_t i = 0; i < got.size(); ++i) {
        const auto at = static_cast<std::size_t>(offset);
        ASSERT_EQ(got[i], a[i + at] + b[i + 2 * at]) << length << ' ' << offset << ' ' << i;
      }
    }
  }
}

TEST_P(LengthsOnBoth, RowsOfEveryLengthAreSummedToTheirLastElement) {
  const std::vector<float> values = sample::numbers<float>(20000);
  const Tensor all = tensor_of(values, GetParam());
  for (const std::int64_t length : {1, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 9999, 20000}) {
    const Tensor row = as_strided(all, {length}, {1}, 20000 - length);
    const double wanted = std::accumulate(values.end() - length, values.end(), 0.0);

    EXPECT_EQ(read_number(sum(row)), wanted) << length << " elements";
  }
}

TEST(Lengths, TheSameWorkGivesTheSameBits) {
  std::vector<float> values;
  for (int i = 0; i < 30000; ++i) values.push_back(1.0f / static_cast<float>(i + 1));
  const Tensor tensor = tensor_of(values);
  const auto first = read_elements(sum(tensor));

  for (int run = 0; run < 3; ++run) EXPECT_EQ(read_elements(sum(tensor)), first);
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

TEST_P(LengthsOnBoth, SizesAroundATileAreMultipliedToTheirEdges) {
  for (const Sizes& size : {Sizes{1, 1, 1}, {2, 3, 2}, {31, 33, 32}, {33, 65, 34}, {3, 0, 2}}) {
    const auto a = sample::numbers<float>(static_cast<std::size_t>(size.rows * size.inner), 1);
    const auto b = sample::numbers<float>(static_cast<std::size_t>(size.inner * size.columns), 2);
    const Tensor left = tensor_of(a, {size.rows, size.inner}, GetParam());
    const Tensor right = tensor_of(b, {size.inner, size.columns}, GetParam());

    const auto wanted = size.inner == 0 ? std::vector<float>(6, 0)
                                        : product(a, b, static_cast<std::size_t>(size.inner));
    EXPECT_EQ(values_of<float>(mm(left, right)), wanted) << size.rows << ' ' << size.inner;
    const Tensor turned = contiguous(t(right));
    EXPECT_EQ(values_of<float>(mm(left, t(turned))), wanted) << "transposed";
  }
}

/// The distance in ULP of the expected float.
double ulps(float got, double wanted) {
  const auto nearest = static_cast<float>(wanted);
  const double unit = std::nextafter(std::fabs(nearest), INFINITY) - std::fabs(nearest);
  return std::fabs(static_cast<double>(got) - wanted) / unit;
}

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

TEST_P(LengthsOnBoth, SoftmaxIsWithinFourUlp) {
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

}  // namespace
}  // namespace assay::cuda
