// A scaler iteration as a CUDA graph, replayed with different gradients and scales.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/fill.hpp"
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
    cuda_check(cudaGraphLaunch(executable_, stream_));
    cuda_check(cudaStreamSynchronize(stream_));
  }

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

}  // namespace
}  // namespace assay::cuda
