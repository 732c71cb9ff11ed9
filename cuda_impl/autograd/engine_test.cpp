// Gradients of the operators of a training step, with exactly representable values.
#include "cuda_impl/autograd/engine.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/autograd/exact_floats.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/no_derivative.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/operators/copy/fill.hpp"

namespace assay::cuda {
namespace {

TEST(Backward, AProductGivesEachFactorTheOther) {
  const Tensor a = leaf({1, 2}, {2});
  const Tensor b = leaf({3, 4}, {2});

  backward(autograd::mul(a, b), floats({5, 6}, {2}));

  EXPECT_EQ(values_of(a.grad()), (Floats{15, 24}));
  EXPECT_EQ(values_of(b.grad()), (Floats{5, 12}));
}

TEST(Backward, BroadcastArgumentsGetTheSum) {
  const Tensor matrix = leaf({1, 2, 3, 4}, {2, 2});
  const Tensor row = leaf({10, 20}, {2});
  const Tensor number = leaf({2}, {});

  const Tensor made = autograd::mul(autograd::add(matrix, row), number);
  backward(made, floats({1, 1, 1, 1}, {2, 2}));

  EXPECT_EQ(values_of(matrix.grad()), (Floats{2, 2, 2, 2}));
  EXPECT_EQ(values_of(row.grad()), (Floats{4, 4}));
  EXPECT_EQ(values_of(number.grad()), (Floats{70}));
}

TEST(Backward, ALinearLayerUnderASquaredError) {
  const Tensor input = leaf({1, 2, 3, 4}, {2, 2});
  const Tensor weight = leaf({1, 0, 0, 1}, {2, 2});
  const Tensor bias = leaf({1, -1}, {2});

  const Tensor outcome = autograd::linear(input, weight, bias);
  backward(autograd::mse_loss(outcome, floats({0, 0, 0, 0}, {2, 2})));

  // The gradient is 2/4 times the output (2, 1; 4, 3).
  EXPECT_EQ(values_of(input.grad()), (Floats{1, 0.5, 2, 1.5}));
  EXPECT_EQ(values_of(weight.grad()), (Floats{7, 10, 5, 7}));
  EXPECT_EQ(values_of(bias.grad()), (Floats{3, 2}));
}

TEST(Backward, AMatrixProductAndAMean) {
  const Tensor a = leaf({1, 2, 3, 4}, {2, 2});
  const Tensor b = leaf({5, 6, 7, 8}, {2, 2});

  backward(autograd::mean(autograd::mm(a, b)));

  EXPECT_EQ(values_of(a.grad()), (Floats{2.75, 3.75, 2.75, 3.75}));
  EXPECT_EQ(values_of(b.grad()), (Floats{1, 1, 1.5, 1.5}));
}

TEST(Backward, TwoUsesAndTwoPassesAddUp) {
  const Tensor x = leaf({3}, {1});

  for (int pass = 0; pass < 2; ++pass) {
    const Tensor twice = autograd::mul(x, Scalar(2));
    backward(autograd::sum(autograd::sub(autograd::mul(twice, x), twice)));
  }

  EXPECT_EQ(values_of(x.grad()), (Floats{20}));  // twice 4x - 2
}

TEST(Backward, GradientsHaveTheTypeOfTheirTensor) {
  const Tensor low = full({2}, 2, Dtype::kBFloat16, cuda_device(0));
  low->requires_grad = true;

  backward(autograd::sum(autograd::mul(low, floats({3, 5}, {2}))));

  EXPECT_EQ(low.grad().dtype(), Dtype::kBFloat16);
  EXPECT_EQ(read_number(as_strided(low.grad(), {}, {}, 1)), 5.0);
}

TEST(Backward, AGraphIsUsedUpAndSavedTensorsMustNotChange) {
  const Tensor x = leaf({3}, {1});
  const Tensor made = autograd::mul(x, floats({2}, {1}));
  backward(made);
  EXPECT_THROW(backward(made), Error);

  const Tensor factor = floats({2}, {1});
  const Tensor other = autograd::mul(x, factor);
  fill_(factor, Scalar(5));
  EXPECT_THROW(backward(other), Error);
}

TEST(Backward, StopsAtAnOperatorWithoutDerivative) {
  const Tensor x = leaf({3}, {1});
  const Tensor made = autograd::without_way_back(floats({3}, {1}), {x}, "lgamma");

  EXPECT_THROW(backward(autograd::mul(made, Scalar(2))), NoDerivative);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Backward, RefusesWhatRequiresNoGradientAndWhatIsNoScalar) {
  EXPECT_THROW(backward(floats({1}, {1})), Error);
  EXPECT_THROW(backward(autograd::mul(leaf({1, 2}, {2}), Scalar(2))), Error);
}

}  // namespace
}  // namespace assay::cuda
