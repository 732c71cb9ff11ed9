// Fused SGD with momentum in CUDA graphs, whose first step may be executed by a replay only.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/optim/sgd.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

Tensor scalar(double value) { return full({}, value, Dtype::kFloat32, kDevice); }

/// One parameter (1) with a gradient of 1, a learning rate of 1, momentum 0.5 and a flag.
struct Training {
  Training() {
    param.set_grad(scalar(1));
    lend(*optimizer);
  }

  void lend(Optimizer& to) const { to.found_inf = flag; }

  static SgdOptions options() {
    SgdOptions options;
    options.lr = 1;
    options.momentum = 0.5;
    options.mode = OptimizerMode::kFused;
    return options;
  }

  Session session;
  Tensor param = scalar(1);
  Tensor flag = scalar(0);
  std::shared_ptr<Sgd> optimizer =
      std::make_shared<Sgd>(session, std::vector<ParamGroup>{{{param}}}, options());
};

void capture_a_step(Graph& graph, Training& training) {
  graph.begin(cudaStreamCaptureModeThreadLocal);
  training.optimizer->step();
  graph.end(Release::k2_11);
}

/// The pattern in memory that is allocated next.
void litter() {
  for (int i = 0; i < 8; ++i) full({1024}, -1, Dtype::kInt32, kDevice);
}

TEST(CapturedSgd, AFirstStepThatIsNeverReplayedLeavesTheNextToBeTheFirst) {
  Training training;
  litter();
  Graph graph;
  capture_a_step(graph, training);

  EXPECT_EQ(read_number(training.param), 1);
  EXPECT_TRUE(training.optimizer->state(0).empty());
  training.optimizer->step();
  EXPECT_EQ(read_number(training.param), 0);
  training.optimizer->step();
  EXPECT_EQ(read_number(training.param), -1.5);
}

TEST(CapturedSgd, AGraphOutlivesItsOptimizer) {
  Training training;
  Graph graph;
  capture_a_step(graph, training);
  training.optimizer.reset();
  litter();

  graph.replay();
  graph.replay();

  EXPECT_EQ(read_number(training.param), -1);
}

}  // namespace
}  // namespace assay::cuda
