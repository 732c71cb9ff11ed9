// The host's work in a training step with thousands of gradients: only the allocations and calls of
// the runtime that its launches need, and none for each gradient.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/scaler/fused_training_for_tests.hpp"

/// Of the simulated runtime; null with the real one.
extern "C" [[gnu::weak]] const char* assay_cudart_log();

namespace assay::cuda {
namespace {

struct Cost {
  std::int64_t launches = 0;
  std::int64_t allocations = 0;  ///< with those of the simulated runtime for its launches
  std::int64_t runtime_calls = 0;
};

std::int64_t logged_calls() {
  const std::string_view log = assay_cudart_log();
  return std::ranges::count(log, '\n');
}

template <typename Call>
Cost cost_of(const Call& call) {
  logged_calls();  // forgets what came before
  const std::int64_t before = allocations_so_far();
  Cost cost;
  cost.launches = counters_of(call).launches;
  cost.allocations = allocations_so_far() - before;
  cost.runtime_calls = logged_calls();
  return cost;
}

/// Of a later iteration.
struct LongCosts {
  Cost unscale;
  Cost step;
};

LongCosts costs_of(const FusedLists& lists) {
  const FusedTraining training(lists);
  training.warm_up();
  LongCosts costs;
  costs.unscale = cost_of([&] { training.unscale(); });
  costs.step = cost_of([&] { training.scaler->step(*training.optimizer); });
  return costs;
}

/// Each launch more makes the same calls, and the simulated runtime's allocations, which are few.
void expect_as_launches(const std::vector<Cost>& of_lengths) {
  const Cost& first = of_lengths[0];
  const Cost& some = of_lengths[1];
  const Cost& many = of_lengths[2];
  const std::int64_t few_more = some.launches - first.launches;
  const std::int64_t many_more = many.launches - first.launches;
  EXPECT_GT(many_more, few_more);
  EXPECT_EQ((some.runtime_calls - first.runtime_calls) * many_more,
            (many.runtime_calls - first.runtime_calls) * few_more);
  constexpr std::int64_t kForALaunch = 24;
  for (const Cost& cost : of_lengths)
    EXPECT_LE(cost.allocations, kForALaunch * (cost.launches + 1));
}

struct KindOfList {
  const char* name;
  std::vector<Dtype> dtypes;
  int devices;
  bool has_moments = false;

  FusedLists of(int gradients) const { return {gradients, has_moments, dtypes, devices}; }
};

class LongLists : public ::testing::TestWithParam<KindOfList> {};

TEST_P(LongLists, CostWhatTheirLaunchesDo) {
  if (!HeldStream::is_possible()) return;
  std::vector<Cost> unscale;
  std::vector<Cost> step;
  for (const int gradients : {1000, 3000, 10'000}) {
    const LongCosts costs = costs_of(GetParam().of(gradients));
    unscale.push_back(costs.unscale);
    step.push_back(costs.step);
  }

  expect_as_launches(unscale);
  expect_as_launches(step);
}

TEST_P(LongLists, LockNothingForAGradient) {
  const auto locked = [](int gradients) {
    const FusedTraining training(GetParam().of(gradients));
    training.warm_up();
    const auto unscale = executed_by([&] { training.unscale(); });
    const auto step = executed_by([&] { training.step_and_update(); });
    return std::pair(unscale.value_or(Executed{}).locked, step.value_or(Executed{}).locked);
  };

  const auto few = locked(10);

  for (const int gradients : {50, 100}) {
    const auto many = locked(gradients);
    EXPECT_EQ(many.first, few.first);
    EXPECT_LE(many.second, few.second);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LongLists,
    ::testing::Values(KindOfList{"OfOneType", {Dtype::kFloat32}, 1},
                      KindOfList{"OfTwoTypes", {Dtype::kFloat32, Dtype::kFloat64}, 1},
                      KindOfList{"OnTwoDevices", {Dtype::kFloat32}, 2},
                      KindOfList{"WithMoments", {Dtype::kFloat32}, 1, true},
                      KindOfList{
                          "WithMomentsOfTwoTypes", {Dtype::kFloat32, Dtype::kFloat64}, 1, true}),
    [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace assay::cuda
