// Fused steps: their launches, and the tensors that they get on each device.
#include "cuda_impl/optim/fused.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/optim/adam.hpp"

namespace assay::cuda {
namespace {

Tensor scalar(double value, Device device) { return full({}, value, Dtype::kFloat32, device); }

TEST(ScalerTensorCopies, CopiesOnceForADeviceHoweverManyLaunchesThereAre) {
  const Device home = cuda_device(0);
  const Device other = cuda_device(1);
  const Tensor scale = scalar(4, home);
  ScalerTensorCopies scaler_copies({scale, scalar(0, home)});
  const std::int64_t before = counters().copies;

  const ScalerPointers at_home = scaler_copies.on(home);
  const ScalerPointers there = scaler_copies.on(other);
  const ScalerPointers again = scaler_copies.on(other);

  EXPECT_EQ(counters().copies - before, 2);
  EXPECT_EQ(at_home.grad_scale, scale.data_as<float>());
  EXPECT_NE(there.grad_scale, at_home.grad_scale);
  EXPECT_EQ(there.grad_scale, again.grad_scale);
  EXPECT_EQ(there.found_inf, again.found_inf);
}

TEST(ScalerTensorCopies, LendsNothingWhereThereIsNothing) {
  ScalerTensorCopies scaler_copies({{}, scalar(1, cuda_device(0))});

  EXPECT_EQ(scaler_copies.on(cuda_device(1)).grad_scale, nullptr);
  EXPECT_NE(scaler_copies.on(cuda_device(1)).found_inf, nullptr);
}

TEST(Fused, StepsHundredsOfTensorsInOneLaunchAndReadsNothing) {
  const Device home = cuda_device(0);
  Session session;
  std::vector<Tensor> params;
  for (int i = 0; i < 200; ++i) {
    params.push_back(full({3}, 1, Dtype::kFloat32, home));
    params.back().set_grad(full({3}, 4, Dtype::kFloat32, home));
  }
  AdamOptions options;
  options.mode = OptimizerMode::kFused;
  Adam optimizer(session, {{params}}, options);
  optimizer.found_inf = scalar(0, home);
  optimizer.grad_scale = scalar(4, home);
  const Counters before = counters();

  optimizer.step();

  EXPECT_EQ(counters().launches - before.launches, 1);
  EXPECT_EQ(counters().host_reads, before.host_reads);
  EXPECT_EQ(read_number(as_strided(params[199].grad(), {}, {}, 2)), 1);
  EXPECT_EQ(read_number(optimizer.state(199).at(0).tensor), 1);
}

}  // namespace
}  // namespace assay::cuda
