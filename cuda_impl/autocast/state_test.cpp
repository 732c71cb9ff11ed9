// Autocast state and rules of devices that the suites do not cover.
#include "cuda_impl/autocast/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "cuda_impl/autocast/casts.hpp"
#include "cuda_impl/autocast/region.hpp"
#include "cuda_impl/autocast/rules.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::autocast {
namespace {

class AutocastStateTest : public testing::Test {
 protected:
  void SetUp() override { begin_again(); }
  void TearDown() override { begin_again(); }

  /// Flags are dispatch keys, so these are reset too.
  static void begin_again() {
    dispatch::reset_thread_keys();
    reset({});
  }
};

TEST_F(AutocastStateTest, AResetReachesEveryThread) {
  set_low_dtype(DeviceKind::kCuda, Dtype::kFloat32);
  change_nesting(3);

  std::jthread([] { reset({}); }).join();

  EXPECT_EQ(low_dtype(DeviceKind::kCuda), Dtype::kFloat16);
  EXPECT_EQ(change_nesting(0), 0);
}

TEST_F(AutocastStateTest, DevicesHaveBitsOfTheirOwn) {
  const auto all = {DeviceKind::kCpu,  DeviceKind::kCuda,       DeviceKind::kXpu, DeviceKind::kIpu,
                    DeviceKind::kHpu,  DeviceKind::kXla,        DeviceKind::kMps, DeviceKind::kMtia,
                    DeviceKind::kMaia, DeviceKind::kPrivateUse1};
  for (const DeviceKind on : all) {
    set_enabled(on, true);
    for (const DeviceKind device : all) EXPECT_EQ(is_enabled(device), device == on);
    set_enabled(on, false);
  }
}

TEST_F(AutocastStateTest, AGuardLeavesWhatWasOffOff) {
  { const OffGuard guard(DeviceKind::kCpu); }
  EXPECT_FALSE(is_enabled(DeviceKind::kCpu));

  set_enabled(DeviceKind::kCpu, true);
  set_enabled(DeviceKind::kCuda, true);
  {
    const OffGuard guard(DeviceKind::kCpu);
    EXPECT_FALSE(is_enabled(DeviceKind::kCpu));
    EXPECT_TRUE(is_enabled(DeviceKind::kCuda));
  }
  EXPECT_TRUE(is_enabled(DeviceKind::kCpu));
}

TEST_F(AutocastStateTest, WhatThrowsInsideLeavesTheRegion) {
  Region region({.device = "cpu", .dtype = {}, .cache_enabled = false});

  EXPECT_THROW(run_inside(region,
                          []() -> int {
                            EXPECT_FALSE(is_cache_enabled());
                            throw Error("inside");
                          }),
               Error);

  EXPECT_FALSE(is_enabled(DeviceKind::kCpu));
  EXPECT_TRUE(is_cache_enabled());
  EXPECT_EQ(change_nesting(0), 0);
}

TEST_F(AutocastStateTest, ArgumentsThatAreNoTensorsPassThroughEveryPiece) {
  const std::vector<std::int64_t> sizes{1, 2};

  EXPECT_EQ(cached_cast(Dtype::kFloat16, sizes, DeviceKind::kCpu), sizes);
  EXPECT_EQ(cached_cast(Dtype::kFloat16, 7, DeviceKind::kCpu), 7);
  EXPECT_EQ(cached_cast(Dtype::kFloat16, std::optional<Tensor>(), DeviceKind::kCpu), std::nullopt);
  EXPECT_EQ(promote_type(Dtype::kFloat16, DeviceKind::kCpu, sizes, 7, 0.5), Dtype::kFloat16);
  EXPECT_EQ(set_opt_dtype(Dtype::kFloat32, 7), 7);
}

TEST_F(AutocastStateTest, AnOptionalTensorIsCastAndHasNoVote) {
  const std::optional<Tensor> bias = full({1}, 1, Dtype::kFloat32, kCpu);

  EXPECT_EQ(promote_type(Dtype::kBFloat16, DeviceKind::kCpu, bias), Dtype::kBFloat16);
  EXPECT_EQ(cached_cast(Dtype::kBFloat16, bias, DeviceKind::kCpu)->dtype(), Dtype::kBFloat16);
}

TEST_F(AutocastStateTest, NoOperatorHasTwoRules) {
  for (const Release release : kReleases) {
    for (const DeviceKind device : {DeviceKind::kCpu, DeviceKind::kCuda, DeviceKind::kXpu,
                                    DeviceKind::kMps, DeviceKind::kMtia, DeviceKind::kMaia}) {
      const std::vector<Rule> rules = rules_of(device, release);
      EXPECT_EQ(std::ranges::adjacent_find(rules, {}, &Rule::op), rules.end());
    }
  }
}

TEST_F(AutocastStateTest, WhatAppendsADtypeHasATarget) {
  for (const Rule& rule : rules_of(DeviceKind::kCuda, Release::k2_11)) {
    const bool appends = rule.policy == CastPolicy::kFp32AppendDtype;
    EXPECT_EQ(append_target(rule.op).empty(), !appends) << rule.op;
  }
}

}  // namespace
}  // namespace assay::cuda::autocast
