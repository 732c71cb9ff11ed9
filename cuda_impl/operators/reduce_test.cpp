// Reductions: lengths around warps, blocks and tiles; dimensions; empty tensors.
#include "cuda_impl/operators/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

double number_of(const Tensor& tensor) {
  EXPECT_EQ(tensor.numel(), 1);
  return values_of<double>(to(tensor, Dtype::kFloat64)).front();
}

class ReduceOnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Places, ReduceOnBoth, testing::Values(kGpu, kCpu),
                         [](const auto& at) { return at.param.is_cuda() ? "Device" : "Host"; });

TEST_P(ReduceOnBoth, RowsOfEveryLengthAreSummedToTheirLastElement) {
  const std::vector<float> values = sample::numbers<float>(20000);
  const Tensor all = tensor_of(values, GetParam());
  for (const std::int64_t length : {1, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 9999, 20000}) {
    const Tensor row = as_strided(all, {length}, {1}, 20000 - length);
    const double wanted = std::accumulate(values.end() - length, values.end(), 0.0);

    EXPECT_EQ(number_of(sum(row)), wanted) << length << " elements";
  }
}

TEST_P(ReduceOnBoth, HalvesAreSummedInFloat32) {
  const Tensor halves = to(tensor_of(std::vector<float>{2048, 1, 1}, GetParam()), Dtype::kFloat16);
  const Tensor over =
      to(tensor_of(std::vector<float>{65504, 65504, -65504}, GetParam()), Dtype::kFloat16);

  EXPECT_EQ(number_of(sum(halves)), 2050);
  EXPECT_EQ(number_of(sum(over)), 65504);
  EXPECT_EQ(sum_wide(over).dtype(), Dtype::kFloat32);
}

TEST_P(ReduceOnBoth, IntegersAndBoolsAreSummedInInt64) {
  const Tensor wide = tensor_of(std::vector<std::int32_t>{0x7fffffff, 1}, GetParam());
  const Tensor yes = to(wide, Dtype::kBool);

  EXPECT_EQ(sum(wide).dtype(), Dtype::kInt64);
  EXPECT_EQ(number_of(sum(wide)), 2147483648.0);
  EXPECT_EQ(number_of(sum(yes)), 2);
}

TEST_P(ReduceOnBoth, NormsMeansAndMaximaAreExactWhereTheyCanBe) {
  const Tensor values = tensor_of(std::vector<double>{3, -4, 0}, GetParam());

  EXPECT_EQ(number_of(norm(values)), 5);
  EXPECT_EQ(number_of(norm(values, 1)), 7);
  EXPECT_EQ(number_of(norm(values, 0)), 2);
  EXPECT_EQ(number_of(norm(values, INFINITY)), 4);
  EXPECT_EQ(number_of(max(values)), 3);
  EXPECT_EQ(number_of(mean(tensor_of(std::vector<float>{1, 2, 3, 6}, GetParam()))), 3);
}

TEST_P(ReduceOnBoth, AMaximumWithNaNIsNaNWhereverItIs) {
  for (const std::size_t at : {0u, 1u, 299u}) {
    std::vector<float> values(300, -1);
    values[at] = NAN;

    EXPECT_TRUE(std::isnan(number_of(max(tensor_of(values, GetParam()))))) << "NaN at " << at;
  }
}

TEST_P(ReduceOnBoth, AnyIsFalseForZerosOfBothSigns) {
  EXPECT_EQ(number_of(any(tensor_of(std::vector<float>{0, -0.0f}, GetParam()))), 0);
  EXPECT_EQ(number_of(any(tensor_of(std::vector<float>{0, NAN}, GetParam()))), 1);
  EXPECT_EQ(any(tensor_of(std::vector<float>{0}, GetParam())).dtype(), Dtype::kBool);
}

TEST_P(ReduceOnBoth, NothingHasASumButNoMaximum) {
  const Tensor nothing = empty({0}, Dtype::kFloat16, GetParam());

  EXPECT_EQ(number_of(sum(nothing)), 0);
  EXPECT_EQ(number_of(norm(nothing)), 0);
  EXPECT_EQ(number_of(any(nothing)), 0);
  EXPECT_TRUE(std::isnan(number_of(mean(nothing))));
  EXPECT_THROW(max(nothing), Error);
}

TEST_P(ReduceOnBoth, DimensionsGoOneByOne) {
  std::vector<float> values(2 * 3 * 400);
  std::iota(values.begin(), values.end(), 0.0f);
  const Tensor cube = tensor_of(values, {2, 3, 400}, GetParam());

  const Tensor last = sum(cube, {.dims = {-1}, .keepdim = true, .dtype = {}});
  const Tensor outer = sum(cube, {.dims = {0, 1}, .keepdim = false, .dtype = {}});

  EXPECT_EQ(last.sizes(), (Shape{2, 3, 1}));
  EXPECT_EQ(values_of<float>(last)[1], 400 * (400 + 799) / 2.0f);
  EXPECT_EQ(outer.sizes(), (Shape{400}));
  EXPECT_EQ(values_of<float>(outer)[7], 6 * 7 + 400 * 15);
  EXPECT_THROW(sum(cube, {.dims = {0, -3}, .keepdim = false, .dtype = {}}), Error);
  EXPECT_THROW(sum(cube, {.dims = {3}, .keepdim = false, .dtype = {}}), Error);
}

TEST_P(ReduceOnBoth, OnlyTheElementsOfAViewCount) {
  const Tensor base = tensor_of(std::vector<float>{100, 1, 100, 2, 100, 3}, GetParam());
  const Tensor odd = as_strided(base, {2, 3}, {0, 2}, 1);

  EXPECT_EQ(number_of(sum(odd)), 12);
  EXPECT_EQ(number_of(max(odd)), 3);
}

TEST(Reduce, TheSameWorkGivesTheSameBits) {
  std::vector<float> values;
  for (int i = 0; i < 30000; ++i) values.push_back(1.0f / static_cast<float>(i + 1));
  const Tensor tensor = tensor_of(values);
  const auto first = read_elements(sum(tensor));

  for (int run = 0; run < 3; ++run) EXPECT_EQ(read_elements(sum(tensor)), first);
}

TEST(Reduce, IntegersHaveNoMean) {
  EXPECT_THROW(mean(tensor_of(std::vector<std::int64_t>{1, 2})), Error);
}

}  // namespace
}  // namespace assay::cuda
