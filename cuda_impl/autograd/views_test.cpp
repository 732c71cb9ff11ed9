// Gradients of copies and views.
#include "cuda_impl/autograd/views.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/autograd/exact_floats.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

TEST(BackwardThroughViews, WhatWasRepeatedGetsTheSum) {
  const Tensor row = leaf({1, 2}, {1, 2});
  const Tensor rows = autograd::made_of(expand(row, {3, 2}), row);

  backward(rows, floats({1, 2, 3, 4, 5, 6}, {3, 2}));

  EXPECT_EQ(values_of(row.grad()), (Floats{9, 12}));
}

TEST(BackwardThroughViews, WhatWasConvertedGetsItsOwnType) {
  const Tensor wide = leaf({1, 2}, {2});
  const Tensor narrow = autograd::made_of(to(wide, Dtype::kFloat16), wide);

  backward(narrow, to(floats({3, 4}, {2}), Dtype::kFloat16));

  EXPECT_EQ(wide.grad().dtype(), Dtype::kFloat32);
  EXPECT_EQ(values_of(wide.grad()), (Floats{3, 4}));
}

TEST(BackwardThroughViews, WhatIsOutsideTheViewGetsZeros) {
  const Tensor base = leaf({0, 1, 2, 3, 4, 5}, {6});
  const Tensor odd = autograd::view_of(as_strided(base, {3}, {2}, 1), base);

  backward(odd, floats({7, 8, 9}, {3}));

  EXPECT_EQ(values_of(base.grad()), (Floats{0, 7, 0, 8, 0, 9}));
}

TEST(BackwardThroughViews, AViewThatOverlapsHasNoWayBack) {
  const Tensor base = leaf({0, 1, 2}, {3});
  const Tensor windows = autograd::view_of(as_strided(base, {2, 2}, {1, 1}, 0), base);

  EXPECT_TRUE(windows->requires_grad);
  EXPECT_THROW(backward(windows, floats({1, 1, 1, 1}, {2, 2})), Error);
}

TEST(BackwardThroughViews, IntegersRequireNoGradient) {
  const Tensor source = leaf({1, 2}, {2});
  const Tensor whole = autograd::made_of(to(source, Dtype::kInt32), source);

  EXPECT_FALSE(whole->requires_grad);
  EXPECT_TRUE(whole->is_leaf);
}

}  // namespace
}  // namespace assay::cuda
