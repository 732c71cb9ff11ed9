// Geometry, views, copies, and sums with exact results.
#include "reference/core/tensor/tensor.hpp"

#include <gtest/gtest.h>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/matmul.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

class TensorTest : public testing::Test {
 protected:
  Tensor ones(const Shape& sizes, ScalarType dtype = ScalarType::kFloat) {
    return full(runtime_, sizes, 1, dtype, kCpuDevice);
  }

  Runtime runtime_;
};

TEST_F(TensorTest, zero_sizes_count_as_one_for_strides) {
  const Tensor empty_one = zeros(runtime_, {2, 0, 3}, ScalarType::kFloat, kCpuDevice);

  EXPECT_EQ(empty_one.strides(), (Shape{3, 3, 1}));
  EXPECT_EQ(empty_one.numel(), 0);
  EXPECT_TRUE(empty_one.is_contiguous());
  EXPECT_EQ(empty_one.data(), nullptr);
}

TEST_F(TensorTest, expanded_dimensions_have_stride_zero) {
  const Tensor view = expand(ones({1, 3}), {4, 3});

  EXPECT_EQ(view.strides(), (Shape{0, 1}));
  EXPECT_FALSE(view.is_contiguous());
  EXPECT_FALSE(view.is_non_overlapping_and_dense());
}

TEST_F(TensorTest, permuted_tensors_are_dense_and_slices_are_not) {
  const Tensor base = ones({4, 8});

  EXPECT_TRUE(permute(base, {1, 0}).is_non_overlapping_and_dense());
  EXPECT_FALSE(as_strided(base, {4, 5}, {8, 1}).is_non_overlapping_and_dense());
}

TEST_F(TensorTest, converting_keeps_the_order_of_dimensions) {
  const ToOptions to_half{.dtype = ScalarType::kHalf};
  const Tensor base = ones({2, 3, 4, 5});

  EXPECT_EQ(to(runtime_, permute(base, {0, 2, 3, 1}), to_half).strides(), (Shape{60, 5, 1, 20}));
  EXPECT_EQ(to(runtime_, expand(ones({1, 3}), {4, 3}), to_half).strides(), (Shape{3, 1}));
  EXPECT_EQ(to(runtime_, as_strided(ones({4, 8}), {4, 5}, {8, 1}), to_half).strides(),
            (Shape{5, 1}));
}

TEST_F(TensorTest, who_converts_depends_on_blocking) {
  const Tensor nan = full(runtime_, {64}, __builtin_nan(""), ScalarType::kFloat, kCpuDevice);
  ToOptions options{.dtype = ScalarType::kBFloat16, .device = cuda_device(0)};

  EXPECT_EQ(bits_at(to(runtime_, nan, options), 7), 0xffffu);
  options.non_blocking = true;
  EXPECT_EQ(bits_at(to(runtime_, nan, options), 7), 0x7fffu);
}

TEST_F(TensorTest, an_unspecified_device_is_the_current_one) {
  const Tensor on_first = zeros(runtime_, {2}, ScalarType::kFloat, cuda_device(0));
  const ToOptions to_cuda{.device = Device{DeviceType::kCuda, -1}};

  EXPECT_TRUE(to(runtime_, on_first, to_cuda).is_same(on_first));
  const DeviceGuard guard(runtime_, 1);
  EXPECT_EQ(to(runtime_, on_first, to_cuda).device(), cuda_device(1));
}

TEST_F(TensorTest, writes_are_counted_for_all_views) {
  const Tensor base = ones({4});
  const Tensor view = detach(as_strided(base, {2}, {2}));

  copy_(runtime_, view, ones({2}));
  add_(runtime_, base, Scalar(1.0));

  EXPECT_EQ(base.version(), 2u);
  EXPECT_EQ(view.version(), 2u);
}

TEST_F(TensorTest, products_accumulate_wider_than_they_are_stored) {
  const Tensor row = ones({1, 257}, ScalarType::kBFloat16);
  const Tensor column = ones({257, 1}, ScalarType::kBFloat16);

  EXPECT_EQ(real_at(mm(runtime_, row, column), 0), 256);  // 257 is not a half, and rounds to even
  EXPECT_EQ(real_at(sum(runtime_, ones({258}, ScalarType::kBFloat16)), 0), 258);
}

TEST_F(TensorTest, nothing_sums_to_zero_and_averages_to_nan) {
  const Tensor nothing = ones({0});

  EXPECT_EQ(real_at(sum(runtime_, nothing), 0), 0);
  EXPECT_TRUE(__builtin_isnan(real_at(mean(runtime_, nothing), 0)));
  EXPECT_THROW(max(runtime_, nothing), Error);
  EXPECT_FALSE(integer_at(any(runtime_, nothing), 0));
}

}  // namespace
}  // namespace assay::reference
