// Optimizers: exact arithmetic, and the effects
// of scale and flag on the fused forms.
#include "reference/optim/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/optim/adam.hpp"
#include "reference/optim/clip.hpp"
#include "reference/optim/sgd.hpp"

namespace assay::reference {

namespace {

class Optim : public testing::Test {
 protected:
  Tensor make(double value, ScalarType dtype = ScalarType::kFloat) {
    return full(runtime_, {1}, value, dtype, cuda_device(0));
  }
  Tensor param(double value, double grad) {
    Tensor made = make(value);
    made.set_requires_grad(true);
    made.set_grad(make(grad));
    return made;
  }
  Tensor flag(double value) {
    return scalar_tensor(runtime_, value, ScalarType::kFloat, cuda_device(0));
  }

  Runtime runtime_;
};

TEST_F(Optim, SgdStepsAgainstTheGradient) {
  const Tensor weight = param(1, 2);
  Sgd sgd(runtime_, {{{weight}}}, {.lr = 0.25});

  sgd.step({});

  EXPECT_EQ(real_at(weight, 0), 0.5);
  EXPECT_EQ(sgd.calls(), 1);
}

TEST_F(Optim, SgdDampensAllMomentumButTheFirst) {
  const Tensor weight = param(0, 4);
  Sgd sgd(runtime_, {{{weight}}}, {.lr = 1, .momentum = 0.5, .dampening = 0.5});

  sgd.step({});
  sgd.step({});

  EXPECT_EQ(real_at(*sgd.state_of(weight).find("momentum_buffer"), 0), 4);
  EXPECT_EQ(real_at(weight, 0), -8);
}

TEST_F(Optim, FusedSgdDividesByTheScaleAndWritesTheGradientBack) {
  const Tensor weight = param(0, 5);
  Sgd sgd(runtime_, {{{weight}}}, {.lr = 1, .mode = OptimizerMode::kFused});
  sgd.grad_scale = flag(3);

  sgd.step({});

  EXPECT_EQ(bits_at(weight.grad(), 0), 0x3fd55555);  // SCL-612
}

TEST_F(Optim, FusedSgdSkipsOnlyAFlagOfOne) {
  for (const double sum : {0.0, 1.0, 2.0}) {
    const Tensor weight = param(1, 2);
    Sgd sgd(runtime_, {{{weight}}}, {.lr = 0.25, .mode = OptimizerMode::kFused});
    sgd.found_inf = flag(sum);

    sgd.step({});

    EXPECT_EQ(real_at(weight, 0), sum == 1 ? 1.0 : 0.5) << sum;  // SCL-610
  }
}

TEST_F(Optim, FusedSgdMakesNoMomentumInASkippedFirstStep) {
  const Tensor weight = param(1, INFINITY);
  Sgd sgd(runtime_, {{{weight}}}, {.lr = 0.25, .momentum = 0.5, .mode = OptimizerMode::kFused});
  sgd.found_inf = flag(1);
  sgd.step({});
  weight.set_grad(make(2));
  sgd.found_inf = flag(0);

  sgd.step({});

  EXPECT_EQ(real_at(weight, 0), 0.5);
}

TEST_F(Optim, FusedAdamLeavesItsCounterInASkippedStep) {
  const Tensor weight = param(1, 2);
  Adam adam(runtime_, {{{weight}}}, {.mode = OptimizerMode::kFused});
  adam.found_inf = flag(1);

  adam.step({});

  EXPECT_EQ(real_at(*adam.state_of(weight).find("step"), 0), 0);  // SCL-613
  EXPECT_EQ(real_at(weight, 0), 1);
}

TEST_F(Optim, AdamsFirstStepIsTheLearningRate) {
  for (const OptimizerMode mode :
       {OptimizerMode::kPlain, OptimizerMode::kForeach, OptimizerMode::kFused}) {
    const Tensor weight = param(1, 2);
    Adam adam(runtime_, {{{weight}}}, {.lr = 0.25, .mode = mode});

    adam.step({});

    EXPECT_NEAR(real_at(weight, 0), 0.75, 1e-6);
  }
}

TEST_F(Optim, ClippingAnInfiniteNormMakesZeros) {
  const Tensor first = param(0, 12);
  const Tensor second = param(0, INFINITY);

  const Tensor norm = clip_grad_norm_(runtime_, {first, second}, 1);

  EXPECT_TRUE(std::isinf(real_at(norm, 0)));
  EXPECT_EQ(real_at(first.grad(), 0), 0);
  EXPECT_TRUE(std::isnan(real_at(second.grad(), 0)));
}

TEST_F(Optim, ZeroGradDropsGradientsSinceRelease2_0) {
  const Tensor weight = param(0, 1);
  Sgd sgd(runtime_, {{{weight}}}, SgdOptions{});

  sgd.zero_grad({});

  EXPECT_FALSE(weight.grad().defined());
}

}  // namespace

}  // namespace assay::reference
