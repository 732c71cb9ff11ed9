// The scaler's C++ interface: launches and waits of an iteration.
#include "cuda_impl/scaler/grad_scaler.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cuda_impl/optim/sgd.hpp"

namespace assay::cuda {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor scalar(double value) { return full({}, value, Dtype::kFloat32, cuda_device(0)); }

Tensor param_with_grad(double grad) {
  const Tensor param = full({2}, 1, Dtype::kFloat32, cuda_device(0));
  param.set_grad(full({2}, grad, Dtype::kFloat32, cuda_device(0)));
  return param;
}

std::shared_ptr<Optimizer> optimizer_over(Session& session, std::vector<Tensor> params,
                                          bool supports_amp_scaling = false) {
  CustomOptimizer::Traits traits;
  traits.supports_amp_scaling = supports_amp_scaling;
  return std::make_shared<CustomOptimizer>(
      session, std::vector<ParamGroup>{{std::move(params)}},
      [](const std::shared_ptr<Optimizer>&, const StepCall&) { return std::any(); }, traits);
}

/// A session with a scaler (scale 4) whose scalars have been created on the first device.
struct Ready {
  Ready() { scaler->scale(scalar(1)); }

  Session session;
  std::shared_ptr<GradScaler> scaler = std::make_shared<GradScaler>(session, options());

 private:
  static ScalerOptions options() {
    ScalerOptions options;
    options.init_scale = 4;
    options.growth_interval = 1;
    return options;
  }
};

/// Returns the counter differences caused by `action`.
template <typename Action>
Counters counted(const Action& action) {
  const Counters before = counters();
  action();
  const Counters after = counters();
  return {.launches = after.launches - before.launches,
          .unscale_calls = after.unscale_calls - before.unscale_calls,
          .unscale_tensors = after.unscale_tensors - before.unscale_tensors,
          .copies = after.copies - before.copies,
          .host_reads = after.host_reads - before.host_reads,
          .allocations = after.allocations - before.allocations};
}

TEST(GradScaler, AnIterationOnOneDeviceIsThreeLaunchesAndOneRead) {
  Ready ready;
  const auto optimizer = optimizer_over(ready.session, {param_with_grad(8), param_with_grad(8)});
  const Tensor loss = scalar(1);

  const Counters scale = counted([&] { ready.scaler->scale(loss); });
  const Counters step = counted([&] { ready.scaler->step(*optimizer); });
  const Counters update = counted([&] { ready.scaler->update(); });

  EXPECT_EQ(scale.launches, 1);
  EXPECT_EQ(step.launches, 1);
  EXPECT_EQ(update.launches, 1);
  EXPECT_EQ(scale.copies + step.copies + update.copies, 0);
  EXPECT_EQ(scale.host_reads + update.host_reads, 0);
  EXPECT_EQ(step.host_reads, 1);
  EXPECT_EQ(ready.scaler->get_scale(), 8.0);
}

TEST(GradScaler, AScalingAwareStepReadsNothing) {
  Ready ready;
  const auto optimizer = optimizer_over(ready.session, {param_with_grad(kInf)}, true);

  const Counters step = counted([&] {
    ready.scaler->step(*optimizer);
    ready.scaler->update();
  });

  EXPECT_EQ(step.host_reads, 0);
  EXPECT_EQ(optimizer->calls(), 1);
  EXPECT_EQ(ready.scaler->get_scale(), 2.0);
}

TEST(GradScaler, AFusedStepIsTwoLaunchesAndWaitsForNothing) {
  Ready ready;
  SgdOptions options;
  options.lr = 0.25;
  options.mode = OptimizerMode::kFused;
  const Tensor param = param_with_grad(8);
  const auto sgd =
      std::make_shared<Sgd>(ready.session, std::vector<ParamGroup>{{{param}}}, options);
  ready.scaler->step(*sgd);  // creates the cached state
  ready.scaler->update(NewScale(4.0));
  param.set_grad(param_with_grad(8).grad());

  const Counters step = counted([&] { ready.scaler->step(*sgd); });

  EXPECT_EQ(step.launches, 2);
  EXPECT_EQ(step.copies + step.host_reads, 0);
  EXPECT_EQ(read_number(as_strided(param, {}, {}, 0)), 0.0);
}

TEST(GradScaler, AnOptimizerThatIsGoneLeavesItsEntryToNobody) {
  Ready ready;
  const Tensor param = param_with_grad(64);
  ready.scaler->unscale_(*optimizer_over(ready.session, {param}));
  const auto next = optimizer_over(ready.session, {param});

  EXPECT_FALSE(ready.scaler->stage_of(*next).has_value());
}

}  // namespace
}  // namespace assay::cuda
