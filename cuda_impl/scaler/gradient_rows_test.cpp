// Gradients of every layout are unscaled by separate launches, which write one flag for each
// device.
#include "cuda_impl/scaler/gradient_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

constexpr double kInf = HUGE_VAL;

/// A scaler with a scale of 4 over these gradients.
struct Training {
  explicit Training(const std::vector<Tensor>& grads) {
    std::vector<Tensor> params;
    for (const Tensor& grad : grads) {
      params.push_back(full(grad.sizes(), 0, grad.dtype(), grad.device()));
      params.back().set_grad(grad);
    }
    optimizer = std::make_shared<Sgd>(session, std::vector<ParamGroup>{{params}}, SgdOptions{});
    scaler->scale(full({}, 1, Dtype::kFloat32, cuda_device(0)));
  }
  /// Unscales; returns the flags.
  std::vector<double> flags() const {
    scaler->unscale_(*optimizer);
    std::vector<double> flags;
    for (const DeviceFlag& found : scaler->found_inf_per_device(*optimizer)) {
      flags.push_back(read_number(found.flag));
    }
    return flags;
  }

  Session session;
  std::shared_ptr<GradScaler> scaler = std::make_shared<GradScaler>(
      session, ScalerOptions{.init_scale = 4.0, .growth_factor = 1.0, .backoff_factor = 1.0});
  std::shared_ptr<Optimizer> optimizer;
};

Tensor with_gaps(const Tensor& memory) { return as_strided(memory, {2}, {2}, 0); }

Tensor sparse_of(const Tensor& values) {
  const Tensor indices = full({1, values.sizes()[0]}, 1, Dtype::kInt64, values.device());
  return sparse_coo(indices, values, {5}, false);
}

double element(const Tensor& tensor, std::int64_t at) {
  return read_number(as_strided(tensor, {}, {}, at));
}

TEST(GradientRows, OfEveryLayoutRaiseOneFlag) {
  for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat64}) {
    for (std::size_t bad = 0; bad < 5; ++bad) {
      const auto value = [&](std::size_t place) { return place == bad ? kInf : 8; };
      const Tensor gapped = full({3}, value(0), dtype, cuda_device(0));
      const Tensor others = full({3}, value(1), Dtype::kFloat64, cuda_device(0));
      const Tensor dense = full({3}, value(2), dtype, cuda_device(0));
      const Tensor entries = full({2}, value(3), dtype, cuda_device(0));
      const Training training({with_gaps(gapped), with_gaps(others), dense, sparse_of(entries)});

      for (int iteration = 0; iteration < 2; ++iteration) {
        EXPECT_EQ(training.flags(), std::vector<double>{bad < 4 ? 1.0 : 0.0}) << "gradient " << bad;
        training.scaler->update();
      }
      EXPECT_EQ(element(entries, 1), value(3) / 16);
    }
  }
}

TEST(GradientRows, OfSeveralDevicesHaveAFlagEachInTheOrderOfFirstUse) {
  for (const int bad : {0, 1, 2}) {
    const auto grad = [&](int device) {
      return full({3}, device == bad ? kInf : 8, Dtype::kFloat32, cuda_device(device));
    };
    const std::vector<Tensor> grads = {grad(1), grad(0), grad(1), with_gaps(grad(0))};
    const Training training(grads);

    EXPECT_EQ(training.flags(), (std::vector<double>{bad == 1 ? 1.0 : 0.0, bad == 0 ? 1.0 : 0.0}));
    EXPECT_EQ(training.scaler->found_inf_per_device(*training.optimizer).front().device,
              cuda_device(1));
    for (const Tensor& each : grads) {
      EXPECT_EQ(element(each, 2), each.device().index == bad ? kInf : 2.0);
    }
  }
}

// Two steps in flight: the second copy of the scale must not overtake the first unscale.
TEST(GradientRows, OfSeveralDevicesFollowAScaleThatChanges) {
  const Tensor grad = full({3}, 64, Dtype::kFloat32, cuda_device(1));
  const Training training({grad});
  for (int i = 0; i < 2; ++i) {
    training.scaler->unscale_(*training.optimizer);
    training.scaler->update(NewScale(i == 0 ? 8.0 : 4.0));
  }

  EXPECT_EQ(element(grad, 0), 64.0 / 4 / 8);
}

}  // namespace
}  // namespace assay::cuda
