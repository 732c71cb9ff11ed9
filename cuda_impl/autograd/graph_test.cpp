// Recording, requested gradients, hooks and recomputation.
#include <gtest/gtest.h>

#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/autograd/exact_floats.hpp"
#include "cuda_impl/autograd/function.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/operators/reduce.hpp"

namespace assay::cuda {
namespace {

Tensor squares(const Tensor& tensor) { return autograd::sum(autograd::mul(tensor, tensor)); }

TEST(Gradients, AreReturnedForEachInputAndNoLeafGetsThem) {
  const Tensor first = leaf({2}, {1});
  const Tensor second = leaf({3}, {1});
  const Tensor stranger = leaf({1}, {1});

  const std::vector<Tensor> found =
      gradients_of(autograd::mul(first, second), {second, stranger, first});

  EXPECT_EQ(values_of(found[0]), (Floats{2}));
  EXPECT_FALSE(found[1].defined());
  EXPECT_EQ(values_of(found[2]), (Floats{3}));
  EXPECT_FALSE(first.grad().defined());
}

TEST(Gradients, OfGradientsGoThroughTheGraphOfTheFirstOnes) {
  const Tensor weight = leaf({1, -2}, {2});
  const std::vector<Tensor> first =
      gradients_of(squares(weight), {weight}, {}, {.create_graph = true});

  backward(squares(first[0]));

  EXPECT_EQ(values_of(weight.grad()), (Floats{8, -16}));
}

TEST(Recording, NeedsATensorThatBringsAutogradsKey) {
  const Tensor weight = leaf({1}, {1});
  Tensor inner;
  {
    const GradModeGuard on(true);
    inference_mode() = true;
    inner = leaf({2}, {1});
    EXPECT_FALSE(autograd::mul(weight, weight)->requires_grad);
    inference_mode() = false;
  }

  EXPECT_FALSE(autograd::sum(inner)->requires_grad);
  EXPECT_TRUE(autograd::add(inner, weight)->requires_grad);
}

TEST(Gradients, OfANormOfNothingButZerosAreZeros) {
  const Tensor weight = leaf({0, 0}, {2});

  backward(autograd::norm(weight));

  EXPECT_EQ(values_of(weight.grad()), (Floats{0, 0}));
}

TEST(Hooks, RunInTheirOrderOnTheWholeGradient) {
  const Tensor weight = leaf({1}, {1});
  add_hook(weight, [](const Tensor& gradient) { return autograd::add(gradient, Scalar(1)); });
  add_hook(weight, [](const Tensor& gradient) { return autograd::mul(gradient, Scalar(2)); });

  backward(autograd::add(weight, weight), floats({5}, {1}));

  EXPECT_EQ(values_of(weight.grad()), (Floats{22}));
}

TEST(Graphs, AreUsedUpWhereSomethingWasKept) {
  const Tensor weight = leaf({2}, {1});
  const Tensor product = autograd::mul(weight, weight);

  backward(product, {}, {.retain_graph = true});
  backward(product);

  EXPECT_EQ(values_of(weight.grad()), (Floats{8}));
  EXPECT_THROW(backward(product), Error);
  EXPECT_EQ(values_of(weight.grad()), (Floats{8}));
}

TEST(GradMode, OffMeansThatNothingIsRecorded) {
  const Tensor weight = leaf({2}, {1});
  const GradModeGuard off(false);

  const Tensor product = autograd::mul(weight, weight);

  EXPECT_FALSE(product->requires_grad);
  EXPECT_TRUE(product->is_leaf);
}

TEST(Functions, OfOthersRunTheirOwnBackwardWithWhatTheySaved) {
  const Tensor weight = leaf({3}, {1});
  const auto forward = [&] {
    EXPECT_FALSE(grad_mode());
    return autograd::ForwardResult{autograd::relu(weight), {floats({7}, {1})}};
  };
  const auto going_back = [](const Tensor& gradient, const std::vector<Tensor>& saved) {
    return std::vector<Tensor>{autograd::mul(gradient, saved.at(0))};
  };

  const Tensor made = autograd::run_function({weight}, forward, going_back);
  backward(made, floats({2}, {1}));

  EXPECT_EQ(values_of(weight.grad()), (Floats{14}));
}

TEST(Functions, ThatReturnTheirInputMakeATensorOfTheirOwn) {
  const Tensor weight = leaf({3}, {1});

  const Tensor made = autograd::run_function(
      {weight},
      [&] {
        return autograd::ForwardResult{weight, {}};
      },
      [](const Tensor& gradient, const std::vector<Tensor>&) {
        return std::vector<Tensor>{gradient};
      });

  EXPECT_FALSE(made.is_same(weight));
  EXPECT_TRUE(weight->is_leaf);
}

TEST(Functions, WhoseGradientHasAnotherShapeAreRefused) {
  const Tensor weight = leaf({1, 2}, {2});
  const Tensor made = autograd::run_function(
      {weight},
      [&] {
        return autograd::ForwardResult{autograd::relu(weight), {}};
      },
      [](const Tensor&, const std::vector<Tensor>&) {
        return std::vector<Tensor>{floats({1}, {})};
      });

  EXPECT_THROW(backward(made, floats({1, 1}, {2})), Error);
}

}  // namespace
}  // namespace assay::cuda
