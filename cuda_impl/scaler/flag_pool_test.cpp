// Flags are reused only if that cannot be observed, and each word is used by one launch at a time.
#include "cuda_impl/scaler/flag_pool.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);
constexpr double kInf = HUGE_VAL;

const void* given_back(FlagPool& pool) {
  CountedFlag flag = pool.take();
  const void* const address = flag.flag.data();
  pool.give_back(std::move(flag));
  return address;
}

TEST(FlagPool, GivesAFlagAgainOnItsStream) {
  FlagPool pool;
  const void* const first = given_back(pool);
  const std::int64_t before = counters().allocations;

  const CountedFlag again = pool.take();

  EXPECT_EQ(again.flag.data(), first);
  EXPECT_EQ(again.flag.version(), 0u);
  EXPECT_EQ(counters().allocations, before);
  EXPECT_NE(pool.take().flag.data(), first);
}

TEST(FlagPool, GivesItOnNoOtherStream) {
  FlagPool pool;
  const OwnStream other;
  const void* const first = given_back(pool);
  {
    const StreamScope scope(other.get());

    EXPECT_NE(pool.take().flag.data(), first);
  }
  EXPECT_EQ(pool.take().flag.data(), first);
}

TEST(FlagPool, GivesItOnNoOtherDevice) {
  FlagPool pool;
  const void* const first = given_back(pool);
  {
    const DeviceScope scope(1);
    const CountedFlag there = pool.take();

    EXPECT_EQ(there.flag.device(), cuda_device(1));
    EXPECT_NE(there.flag.data(), first);
  }
  EXPECT_EQ(pool.take().flag.data(), first);
}

TEST(FlagPool, GivesAFlagOfOtherSizesForOthers) {
  FlagPool pool;
  const void* const first = given_back(pool);

  const CountedFlag taken = pool.take({1});

  EXPECT_EQ(taken.flag.sizes(), Shape{1});
  EXPECT_NE(taken.flag.data(), first);
}

TEST(FlagPool, TakesNoneBackOnAnotherStream) {
  FlagPool pool;
  const OwnStream other;
  CountedFlag flag = pool.take();
  const Tensor held = full({}, 0, Dtype::kFloat32, kDevice);
  const void* const first = flag.flag.data();
  {
    const StreamScope scope(other.get());
    pool.give_back(flag);
  }

  EXPECT_NE(pool.take().flag.data(), first);
}

TEST(FlagPool, TakesNoneBackThatSomebodyHas) {
  FlagPool pool;
  CountedFlag flag = pool.take();
  const Tensor view = as_strided(flag.flag, {1}, {1}, 0);

  pool.give_back(std::move(flag));

  EXPECT_NE(pool.take().flag.data(), view.data());
}

TEST(FlagPool, HasNoneForTheDefaultStreamOfAThread) {
  FlagPool pool;
  const StreamScope scope(cudaStreamPerThread);

  EXPECT_FALSE(pool.take().ticket.is_reusable);
}

TEST(FlagPool, GivesCapturedLaunchesWordsOfTheirOwn) {
  FlagPool pool;
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);
  const CountedFlag first = pool.take();
  const CountedFlag second = pool.take();
  graph.end(Release::k2_11);

  EXPECT_NE(first.ticket.word, second.ticket.word);
  EXPECT_FALSE(first.ticket.is_reusable);
}

/// A scaler with gradients that take several blocks, and with a trivial optimizer.
struct Training {
  explicit Training(std::vector<double> values, Dtype last = Dtype::kFloat32) {
    std::vector<Tensor> params;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Dtype dtype = i + 1 == values.size() ? last : Dtype::kFloat32;
      params.push_back(full({1}, 0, dtype, kDevice));
      params.back().set_grad(full({4000}, values[i], dtype, kDevice));
      grads.push_back(params.back().grad());
    }
    SgdOptions options;
    optimizer = std::make_shared<Sgd>(session, std::vector<ParamGroup>{{params}}, options);
    scaler->scale(full({}, 1, Dtype::kFloat32, kDevice));
  }
  double flag() const { return read_number(scaler->found_inf_per_device(*optimizer).front().flag); }
  void iterate() const {
    scaler->unscale_(*optimizer);
    scaler->update();
  }

  Session session;
  std::shared_ptr<GradScaler> scaler =
      std::make_shared<GradScaler>(session, ScalerOptions{.init_scale = 1.0, .growth_factor = 1.0});
  std::vector<Tensor> grads;
  std::shared_ptr<Optimizer> optimizer;
};

TEST(ScalerFlags, AreRaisedByAnyGradientAndLoweredByTheNextUnscale) {
  for (const Dtype last : {Dtype::kFloat32, Dtype::kFloat64}) {
    for (const std::size_t bad : {0u, 1u, 2u}) {
      const Training training({1, 1, 1}, last);
      for (const double value : {1.0, kInf, 1.0, kInf, kInf, 1.0}) {
        fill_(training.grads[bad], Scalar(value));
        training.scaler->unscale_(*training.optimizer);

        EXPECT_EQ(training.flag(), value == 1.0 ? 0.0 : 1.0) << "gradient " << bad;
        training.scaler->update();
      }
    }
  }
}

TEST(ScalerFlags, OfLongListsAreRaisedByTheFirstGradientAndByTheLast) {
  for (const std::size_t bad : {0u, 1199u}) {
    std::vector<Tensor> params;
    for (std::size_t i = 0; i < 1200; ++i) {
      params.push_back(full({1}, 0, Dtype::kFloat32, kDevice));
      params.back().set_grad(full({1}, i == bad ? kInf : 1, Dtype::kFloat32, kDevice));
    }
    Session session;
    const auto optimizer =
        std::make_shared<Sgd>(session, std::vector<ParamGroup>{{params}}, SgdOptions{});
    const auto scaler = std::make_shared<GradScaler>(session, ScalerOptions{});
    scaler->scale(full({}, 1, Dtype::kFloat32, kDevice));

    scaler->unscale_(*optimizer);

    EXPECT_EQ(read_number(scaler->found_inf_per_device(*optimizer).front().flag), 1.0);
  }
}

TEST(ScalerFlags, OfAnEarlierIterationStayAsTheyAre) {
  const Training training({kInf});
  training.scaler->unscale_(*training.optimizer);
  const Tensor held = training.scaler->found_inf_per_device(*training.optimizer).front().flag;
  training.scaler->update();
  fill_(training.grads[0], Scalar(1));

  training.scaler->unscale_(*training.optimizer);

  EXPECT_EQ(read_number(held), 1.0);
  EXPECT_EQ(training.flag(), 0.0);
}

TEST(ScalerFlags, ACopyOfAScalerHasItsOwn) {
  const Training training({1});
  training.iterate();
  const auto copy = training.scaler->copy();
  copy->scale(full({}, 1, Dtype::kFloat32, kDevice));
  fill_(training.grads[0], Scalar(kInf));
  training.scaler->unscale_(*training.optimizer);
  fill_(training.grads[0], Scalar(1));

  copy->unscale_(*training.optimizer);

  EXPECT_EQ(training.flag(), 1.0);
  EXPECT_EQ(read_number(copy->found_inf_per_device(*training.optimizer).front().flag), 0.0);
}

TEST(ScalerFlags, AreRightAfterThousandsOfLaunchesInFlightOnSeveralStreams) {
  const Training trainings[] = {Training({1}), Training({kInf}), Training({1, kInf, 1})};
  const OwnStream streams[3];
  cuda_check(cudaDeviceSynchronize());

  for (int i = 0; i < 5000; ++i) {
    const StreamScope scope(streams[i % 3].get());
    trainings[i % 3].iterate();
  }
  for (int i = 0; i < 3; ++i) {
    const StreamScope scope(streams[i].get());
    trainings[i].scaler->unscale_(*trainings[i].optimizer);
    EXPECT_EQ(trainings[i].flag(), i == 0 ? 0.0 : 1.0);
  }
}

TEST(ScalerFlags, OfAReplayAreThoseOfItsGradients) {
  const Training captured({1, 1}, Dtype::kFloat64);
  const Training eager({1, 1}, Dtype::kFloat64);
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);
  captured.iterate();
  graph.end(Release::k2_11);

  for (const double value : {3.0, kInf, 5.0, kInf, 7.0}) {
    for (const Training* each : {&captured, &eager}) {
      fill_(each->grads[0], Scalar(value));
      fill_(each->grads[1], Scalar(value / 3));
    }
    graph.replay();
    eager.iterate();

    EXPECT_EQ(read_elements(captured.scaler->scale_tensor()),
              read_elements(eager.scaler->scale_tensor()));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(read_elements(captured.grads[i]), read_elements(eager.grads[i]));
    }
  }
}

}  // namespace
}  // namespace assay::cuda
