// The instructions of a training step on the host, by the number of gradients: no allocations, and
// no locked instructions for each gradient.
#include <gtest/gtest.h>

#include <utility>

#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/scaler/fused_training_for_tests.hpp"

namespace assay::cuda {
namespace {

/// Of a later step.
struct Costs {
  Executed that_checks;
  Executed that_unscales;
};

Costs costs_of(const FusedLists& lists) {
  const FusedTraining training(lists);
  training.warm_up();
  const auto checks = executed_by([&] { training.step_and_update(); });
  const auto unscales = executed_by([&] {
    training.unscale();
    training.step_and_update();
  });
  return {checks.value_or(Executed{}), unscales.value_or(Executed{})};
}

class StepCosts : public ::testing::TestWithParam<bool> {};

TEST_P(StepCosts, AreTheSameForAGradientAndForManyButForInstructions) {
  const Costs one = costs_of({1, GetParam()});
  const Costs many = costs_of({20, GetParam()});

  for (const auto& [few, all] : {std::pair(one.that_checks, many.that_checks),
                                 std::pair(one.that_unscales, many.that_unscales)}) {
    EXPECT_EQ(all.allocations, 0);
    EXPECT_EQ(all.locked, few.locked);
    EXPECT_EQ(all.launches, few.launches);
    EXPECT_EQ(all.runtime_calls, few.runtime_calls);
  }
}

TEST_P(StepCosts, OfTwoTypesAreALaunchForEach) {
  const FusedLists lists = {10, GetParam(), {Dtype::kFloat32, Dtype::kFloat64}};
  const Costs costs = costs_of(lists);
  const FusedTraining training(lists);
  training.warm_up();

  const Counters unscale = counters_of([&] { training.unscale(); });
  const Counters rest = counters_of([&] { training.step_and_update(); });

  EXPECT_EQ(unscale.launches, 2);
  EXPECT_EQ(rest.launches, 2 + 1);
  EXPECT_EQ(unscale.allocations + rest.allocations, 0);
  EXPECT_EQ(costs.that_unscales.allocations, 0);
}

TEST_P(StepCosts, AreTwoLaunchesOfTheScalerAndOneOfTheOptimizer) {
  for (const int gradients : {1, 10, 160}) {
    const FusedTraining training({gradients, GetParam()});
    training.warm_up();

    const Counters unscale = counters_of([&] { training.unscale(); });
    const Counters step = counters_of([&] { training.scaler->step(*training.optimizer); });
    const Counters update = counters_of([&] { training.scaler->update(); });
    const Counters checked = counters_of([&] { training.step_and_update(); });

    EXPECT_EQ(unscale.launches, 1);
    EXPECT_EQ(step.launches, 1);
    EXPECT_EQ(update.launches, 1);
    EXPECT_EQ(checked.launches, 3);
    for (const Counters& each : {unscale, step, update, checked}) {
      EXPECT_EQ(each.copies + each.host_reads + each.allocations, 0);
    }
  }
}

// A capture counts launches without running them.
TEST_P(StepCosts, OfLongListsAreALaunchForEachTable) {
  for (const int gradients : {1000, 10'000}) {
    const FusedTraining training({gradients, GetParam()});
    Graph graph;
    graph.begin(cudaStreamCaptureModeThreadLocal);

    const Counters unscale = counters_of([&] { training.unscale(); });
    const Counters rest = counters_of([&] { training.step_and_update(); });
    graph.end(Release::k2_11);

    const int rows = GetParam() ? 453 : 582;  // of 72 and of 56 bytes
    EXPECT_EQ(unscale.launches, (gradients + 1018) / 1019);
    EXPECT_EQ(rest.launches, (gradients + rows - 1) / rows + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Optimizers, StepCosts, ::testing::Bool());

void add_gradient(const FusedTraining& training, const Tensor& grad) {
  const Tensor param = full(grad.sizes(), 1, grad.dtype(), grad.device());
  param.set_grad(grad);
  training.optimizer->add_param_group({{param}});
}

TEST(StepCosts, OfGradientsOnTwoDevicesAreALaunchOnEachAndACopyOfTheScale) {
  const FusedTraining training({2});
  add_gradient(training, full({3}, 1, Dtype::kFloat32, cuda_device(1)));
  training.warm_up();

  const Counters unscale = counters_of([&] { training.unscale(); });
  training.step_and_update();
  const auto executed = executed_by([&] { training.unscale(); });

  EXPECT_EQ(unscale.launches, 2);
  EXPECT_EQ(unscale.copies, 1);
  EXPECT_EQ(unscale.host_reads + unscale.allocations, 0);
  EXPECT_EQ(executed.value_or(Executed{}).allocations, 0);
}

TEST(StepCosts, OfAGradientWithGapsAreALaunchMore) {
  const FusedTraining training({2});
  add_gradient(training, as_strided(full({6}, 1, Dtype::kFloat32, cuda_device(0)), {3}, {2}, 0));
  training.warm_up();

  const Counters unscale = counters_of([&] { training.unscale(); });
  training.step_and_update();
  const auto executed = executed_by([&] { training.unscale(); });

  EXPECT_EQ(unscale.launches, 2);
  EXPECT_EQ(unscale.copies + unscale.host_reads + unscale.allocations, 0);
  EXPECT_EQ(executed.value_or(Executed{}).allocations, 0);
}

TEST(StepCosts, OfOldReleasesAreTheSame) {
  FusedTraining training({2});
  Contract old = training.session.contract();
  old.release = Release::k1_13;
  training.session.set_contract(old);
  for (int i = 0; i < 2; ++i) {
    training.unscale();
    training.scaler->update();
  }

  const Counters unscale = counters_of([&] { training.unscale(); });

  EXPECT_EQ(unscale.launches, 1);
  EXPECT_EQ(unscale.copies + unscale.host_reads + unscale.allocations, 0);
  EXPECT_EQ(training.scaler->found_inf_per_device(*training.optimizer).front().flag.sizes(),
            Shape{1});
}

// Less than 20 cycles as nvcc's host compiler makes them, so that 160 gradients take less than a
// microsecond; as C++ for simulated devices they also check the alignment of each access.
TEST(StepCosts, AreFewInstructionsForAGradientThatIsUnscaled) {
  const auto instructions = [](int gradients) {
    const FusedTraining training({gradients});
    training.warm_up();
    return executed_by([&] { training.unscale(); }).value_or(Executed{}).instructions;
  };

  const std::int64_t of_many = instructions(240) - instructions(140);  // tables of one size

  RecordProperty("instructions_of_100_gradients", static_cast<int>(of_many));
  EXPECT_LE(of_many, 100 * 80);
}

}  // namespace
}  // namespace assay::cuda
