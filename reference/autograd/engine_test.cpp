// Backward: accumulation, dtypes of gradients, and the lifetime of the graph.
#include "reference/autograd/engine.hpp"

#include <gtest/gtest.h>

#include "reference/autograd/closure_node.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/grad_mode.hpp"

namespace assay::reference {
namespace {

class Backward : public ::testing::Test {
 protected:
  Tensor leaf(double value, ScalarType dtype = ScalarType::kFloat) {
    const Tensor made = full(runtime, {1}, value, dtype, kCpuDevice);
    made.set_requires_grad(true);
    return made;
  }

  /// Returns `tensor` times `factor`, with history.
  Tensor scaled(const Tensor& tensor, double factor) {
    const Tensor product = mul(runtime, tensor, Scalar(factor));
    record(runtime, "mul", {tensor}, product, [factor](Runtime& later, const Tensor& grad) {
      return Gradients{mul(later, grad, Scalar(factor))};
    });
    return product;
  }

  Runtime runtime;
};

TEST_F(Backward, SumsInTheTypeOfTheNodeWhereUsesMeet) {
  const Tensor weight = leaf(1);
  const Tensor low = cast_to(runtime, weight, ScalarType::kBFloat16);

  backward(runtime, sum_of(runtime, scaled(low, 256), scaled(low, 1)));

  EXPECT_EQ(real_at(weight.grad(), 0), 256);  // 257 in bfloat16
  EXPECT_EQ(weight.grad().dtype(), ScalarType::kFloat);
}

TEST_F(Backward, SumsInTheTypeOfTheLeafWhereEachUseIsCast) {
  const Tensor weight = leaf(1);
  const Tensor first = cast_to(runtime, weight, ScalarType::kBFloat16);
  const Tensor second = cast_to(runtime, weight, ScalarType::kBFloat16);

  backward(runtime, sum_of(runtime, scaled(first, 256), scaled(second, 1)));

  EXPECT_EQ(real_at(weight.grad(), 0), 257);
}

TEST_F(Backward, WritesNothingDownWithoutGradMode) {
  const Tensor weight = leaf(1);
  const GradModeGuard off(runtime, false);

  const Tensor product = scaled(weight, 2);

  EXPECT_FALSE(product.requires_grad());
  EXPECT_EQ(product.node(), nullptr);
}

TEST_F(Backward, AddsToTheGradientThatIsThere) {
  const Tensor weight = leaf(1);
  backward(runtime, scaled(weight, 2));
  const Tensor held = weight.grad();

  backward(runtime, scaled(weight, 3));

  EXPECT_TRUE(weight.grad().is_same(held));
  EXPECT_EQ(real_at(held, 0), 5);
}

TEST_F(Backward, GivesGradientsWithoutTouchingTheLeaf) {
  const Tensor weight = leaf(1);

  const auto grads = gradients_of(runtime, scaled(weight, 2), {weight, leaf(1)});

  EXPECT_EQ(real_at(grads[0], 0), 2);
  EXPECT_FALSE(grads[1].defined());
  EXPECT_FALSE(weight.grad().defined());
}

TEST_F(Backward, OwnsALeafAsLongAsItsHistoryLives) {
  const Tensor weight = leaf(1);
  Tensor low = cast_to(runtime, weight, ScalarType::kHalf);

  EXPECT_EQ(weight.use_count(), 2);  // of the test and the accumulator
  low = {};
  EXPECT_EQ(weight.use_count(), 1);
}

TEST_F(Backward, DiesWithoutRecursionHoweverLongTheChain) {
  Tensor tensor = leaf(1);
  for (int i = 0; i < 200000; ++i)
    tensor = cast_to(runtime, tensor, i % 2 == 0 ? ScalarType::kHalf : ScalarType::kFloat);

  tensor = {};

  EXPECT_FALSE(tensor.defined());
}

}  // namespace
}  // namespace assay::reference
