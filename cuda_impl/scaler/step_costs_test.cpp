// What the calls of a training step execute on the host, by the number of gradients: nothing is
// allocated, and nothing is locked for each of them.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cuda_impl/core/counts/executed_for_tests.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

struct Lists {
  int gradients;
  bool has_moments = false;  ///< Adam, not SGD
  std::vector<Dtype> dtypes = {Dtype::kFloat32};
};

/// A fused optimizer over gradients of 3 elements, and a scaler that has a scale.
class Training {
 public:
  explicit Training(const Lists& lists) {
    std::vector<Tensor> params;
    for (int i = 0; i < lists.gradients; ++i) {
      const Dtype dtype = lists.dtypes[static_cast<std::size_t>(i) % lists.dtypes.size()];
      params.push_back(full({3}, 1, dtype, kDevice));
      params.back().set_grad(full({3}, 1, dtype, kDevice));
    }
    const std::vector<ParamGroup> groups = {{params}};
    if (lists.has_moments) {
      AdamOptions options;
      options.mode = OptimizerMode::kFused;
      options.capturable = true;
      optimizer = std::make_shared<Adam>(session, groups, options);
    } else {
      SgdOptions options;
      options.mode = OptimizerMode::kFused;
      options.momentum = 0.9;
      optimizer = std::make_shared<Sgd>(session, groups, options);
    }
    scaler->scale(full({}, 1, Dtype::kFloat32, kDevice));
  }

  void unscale() const { scaler->unscale_(*optimizer); }
  /// Checks the gradients by itself, if they are not unscaled.
  void step_and_update() const {
    scaler->step(*optimizer);
    scaler->update();
  }
  /// Makes what only the first iterations make.
  void warm_up() const {
    for (int i = 0; i < 2; ++i) {
      step_and_update();
      unscale();
      step_and_update();
    }
  }

  Session session;
  std::shared_ptr<GradScaler> scaler = std::make_shared<GradScaler>(session, ScalerOptions{});
  std::shared_ptr<Optimizer> optimizer;
};

/// Of a later step.
struct Costs {
  Executed that_checks;
  Executed that_unscales;
};

Costs costs_of(const Lists& lists) {
  const Training training(lists);
  training.warm_up();
  const auto checks = executed_by([&] { training.step_and_update(); });
  const auto unscales = executed_by([&] {
    training.unscale();
    training.step_and_update();
  });
  return {checks.value_or(Executed{}), unscales.value_or(Executed{})};
}

/// Differences of counters.
template <typename Call>
Counters counted(const Call& call) {
  const Counters before = counters();
  call();
  const Counters after = counters();
  Counters made;
  made.launches = after.launches - before.launches;
  made.copies = after.copies - before.copies;
  made.host_reads = after.host_reads - before.host_reads;
  made.allocations = after.allocations - before.allocations;
  return made;
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
  const Lists lists = {10, GetParam(), {Dtype::kFloat32, Dtype::kFloat64}};
  const Costs costs = costs_of(lists);
  const Training training(lists);
  training.warm_up();

  const Counters unscale = counted([&] { training.unscale(); });
  const Counters rest = counted([&] { training.step_and_update(); });

  EXPECT_EQ(unscale.launches, 2);
  EXPECT_EQ(rest.launches, 2 + 1);
  EXPECT_EQ(unscale.allocations + rest.allocations, 0);
  EXPECT_EQ(costs.that_unscales.allocations, 0);
}

TEST_P(StepCosts, AreTwoLaunchesOfTheScalerAndOneOfTheOptimizer) {
  for (const int gradients : {1, 10, 160}) {
    const Training training({gradients, GetParam()});
    training.warm_up();

    const Counters unscale = counted([&] { training.unscale(); });
    const Counters step = counted([&] { training.scaler->step(*training.optimizer); });
    const Counters update = counted([&] { training.scaler->update(); });
    const Counters checked = counted([&] { training.step_and_update(); });

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
    const Training training({gradients, GetParam()});
    Graph graph;
    graph.begin(cudaStreamCaptureModeThreadLocal);

    const Counters unscale = counted([&] { training.unscale(); });
    const Counters rest = counted([&] { training.step_and_update(); });
    graph.end(Release::k2_11);

    const int rows = GetParam() ? 453 : 582;  // of 72 and of 56 bytes
    EXPECT_EQ(unscale.launches, (gradients + 1018) / 1019);
    EXPECT_EQ(rest.launches, (gradients + rows - 1) / rows + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Optimizers, StepCosts, ::testing::Bool());

TEST(StepCosts, OfGradientsOnTwoDevicesLaunchOnBoth) {
  Training training({2});
  const Tensor there = full({3}, 1, Dtype::kFloat32, cuda_device(1));
  there.set_grad(full({3}, 1, Dtype::kFloat32, cuda_device(1)));
  training.optimizer->add_param_group({{there}});

  const Counters unscale = counted([&] { training.unscale(); });

  EXPECT_EQ(unscale.launches, 1 + 2);  // the inverse, and an unscale on each device
}

// Some 20 cycles, so about a microsecond for 160 gradients.
TEST(StepCosts, AreFewInstructionsForAGradientThatIsUnscaled) {
  const auto instructions = [](int gradients) {
    const Training training({gradients});
    training.warm_up();
    return executed_by([&] { training.unscale(); }).value_or(Executed{}).instructions;
  };

  const std::int64_t of_many = instructions(160) - instructions(10);

  RecordProperty("instructions_of_150_gradients", static_cast<int>(of_many));
  EXPECT_LE(of_many, 150 * 80);
}

}  // namespace
}  // namespace assay::cuda
