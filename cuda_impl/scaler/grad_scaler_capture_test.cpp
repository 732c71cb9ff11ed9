// Scaler iterations as CUDA graphs that are under way at once.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/scaler/fused_training_for_tests.hpp"

namespace assay::cuda {
namespace {

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

  /// Does not wait.
  void start() const { cuda_check(cudaGraphLaunch(executable_, stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

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
