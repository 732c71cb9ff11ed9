// A scaler iteration as a CUDA graph, replayed with different gradients and scales.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/fill.hpp"
#include "cuda_impl/scaler/fused_training_for_tests.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

Tensor scalar(double value) { return full({}, value, Dtype::kFloat32, cuda_device(0)); }

/// Captures what `action` submits to a separate stream.
class Captured {
 public:
  template <typename Action>
  explicit Captured(const Action& action) {
    cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const StreamScope scope(stream_);
    cuda_check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    action();
    cudaGraph_t graph = nullptr;
    cuda_check(cudaStreamEndCapture(stream_, &graph));
    cuda_check(cudaGraphInstantiate(&executable_, graph, 0));
    cuda_check(cudaGraphDestroy(graph));
  }
  ~Captured() {
    cuda_warn(cudaGraphExecDestroy(executable_));
    cuda_warn(cudaStreamDestroy(stream_));
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  void replay() const {
    cuda_check(cudaDeviceSynchronize());
    start();
    cuda_check(cudaStreamSynchronize(stream_));
  }
  /// Does not wait.
  void start() const { cuda_check(cudaGraphLaunch(executable_, stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// A scaler with scale 4 and initialized scalars, and an optimizer over one gradient.
struct Training {
  Training() {
    param.set_grad(scalar(8));
    scaler->scale(scalar(1));
  }

  static ScalerOptions options() {
    ScalerOptions options;
    options.init_scale = 4;
    options.growth_interval = 1;
    return options;
  }

  Session session;
  std::shared_ptr<GradScaler> scaler = std::make_shared<GradScaler>(session, options());
  Tensor param = scalar(1);
  std::shared_ptr<Optimizer> optimizer = std::make_shared<CustomOptimizer>(
      session, std::vector<ParamGroup>{{{param}}},
      [](const std::shared_ptr<Optimizer>&, const StepCall&) { return std::any(); },
      CustomOptimizer::Traits{});
};

TEST(CapturedScaler, AReplayScalesByTheScaleOfThatMoment) {
  Training training;
  const Tensor loss = scalar(3);
  const Tensor seen = scalar(0);
  const Captured graph([&] { copy_elements(seen, training.scaler->scale(loss), true); });

  for (const double scale : {4.0, 0.5, 64.0}) {
    training.scaler->update(NewScale(scale));
    graph.replay();

    EXPECT_EQ(read_number(seen), 3 * scale);
  }
}

TEST(CapturedScaler, AReplayUnscalesByTheScaleOfThatMomentAndUpdatesIt) {
  Training training;
  const Tensor grad = training.param.grad();
  const Captured graph([&] {
    training.scaler->unscale_(*training.optimizer);
    training.scaler->update();
  });

  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [given, wanted, scale] :
       {std::tuple{8.0, 2.0, 8.0}, {8.0, 1.0, 16.0}, {inf, inf, 8.0}, {16.0, 2.0, 16.0}}) {
    fill_(grad, Scalar(given));
    graph.replay();

    EXPECT_EQ(read_number(grad), wanted);
    EXPECT_EQ(training.scaler->get_scale(), scale);
  }
}

/// A training whose gradients are written between its steps.
struct Written : FusedTraining {
  using FusedTraining::FusedTraining;

  void write(double grad) const {
    for (const Tensor& param : optimizer->params()) fill_(param.grad(), Scalar(grad));
  }
  void step(bool unscales) const {
    if (unscales) unscale();
    step_and_update();
  }
};

void expect_same_bits(const Written& one, const Written& other) {
  EXPECT_EQ(one.scaler->get_scale(), other.scaler->get_scale());
  for (std::size_t i = 0; i < one.optimizer->params().size(); ++i) {
    const Tensor& param = one.optimizer->params()[i];
    const Tensor& wanted = other.optimizer->params()[i];
    EXPECT_EQ(read_elements(param), read_elements(wanted)) << "parameter " << i;
    EXPECT_EQ(read_elements(param.grad()), read_elements(wanted.grad())) << "gradient " << i;
  }
}

// Two graphs on two streams are under way at once, of lists that need two tables.
TEST(CapturedScaler, ReplaysOnTwoStreamsHaveTheBitsOfEagerSteps) {
  for (const bool unscales : {false, true}) {
    const FusedLists kinds[] = {{600, true}, {600, false}};
    const Written replayed[] = {Written(kinds[0]), Written(kinds[1])};
    const Written eager[] = {Written(kinds[0]), Written(kinds[1])};
    for (const auto& each : {std::cref(replayed[0]), std::cref(replayed[1]), std::cref(eager[0]),
                             std::cref(eager[1])}) {
      each.get().warm_up();
    }
    const Captured first([&] { replayed[0].step(unscales); });
    const Captured second([&] { replayed[1].step(unscales); });

    for (const double grad : {8.0, -3.0, std::numeric_limits<double>::infinity(), 5.0}) {
      for (std::size_t i = 0; i < 2; ++i) {
        replayed[i].write(grad);
        eager[i].write(grad);
        eager[i].step(unscales);
      }
      cuda_check(cudaDeviceSynchronize());
      first.start();
      second.start();
      cuda_check(cudaDeviceSynchronize());

      for (std::size_t i = 0; i < 2; ++i) expect_same_bits(replayed[i], eager[i]);
    }
  }
}

}  // namespace
}  // namespace assay::cuda
