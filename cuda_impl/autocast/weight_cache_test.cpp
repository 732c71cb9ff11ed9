// The weight cache: concurrent threads, and reused addresses.
#include "cuda_impl/autocast/weight_cache.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "cuda_impl/autocast/casts.hpp"
#include "cuda_impl/core/for_tests.hpp"

namespace assay::cuda::autocast {
namespace {

class WeightCacheTest : public testing::Test {
 protected:
  void SetUp() override { reset({}); }
  void TearDown() override { reset({}); }
};

Tensor weight(double value = 1) {
  const Tensor made = full({1}, value, Dtype::kFloat32, kCpu);
  made->requires_grad = true;
  return made;
}

Tensor low(const Tensor& tensor) { return cached_cast(Dtype::kBFloat16, tensor, DeviceKind::kCpu); }

TEST_F(WeightCacheTest, AHitIsTheSameTensor) {
  const Tensor source = weight();
  const Tensor first = low(source);

  EXPECT_TRUE(low(source).is_same(first));
  EXPECT_EQ(cast_stats().conversions, 1);
  EXPECT_EQ(cast_stats().cache_hits, 1);
}

TEST_F(WeightCacheTest, ThreadsThatComeAtOnceGetOneCopy) {
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    const Tensor source = weight();
    std::array<Tensor, 3> got;
    std::vector<std::jthread> threads;
    for (Tensor& copy : got) threads.emplace_back([&copy, &source] { copy = low(source); });
    threads.clear();

    EXPECT_TRUE(got[0].is_same(got[1]));
    EXPECT_TRUE(got[0].is_same(got[2]));
  }
  EXPECT_EQ(cast_stats().cache_inserts, kRounds);
}

TEST_F(WeightCacheTest, OneThreadMayClearWhatAnotherUses) {
  const Tensor source = weight();
  std::jthread clearing([] {
    for (int i = 0; i < 200; ++i) clear_weight_cache();
  });
  for (int i = 0; i < 200; ++i) EXPECT_EQ(low(source).dtype(), Dtype::kBFloat16);
}

TEST_F(WeightCacheTest, ATensorAtAnOldAddressIsNoHit) {
  WeightCache cache;
  Tensor source = weight();
  const Tensor copy = weight(2);
  cache.insert(source, copy);
  const Watched<TensorBody> gone = source.body();
  source = {};
  ASSERT_TRUE(gone.expired());

  for (int i = 0; i < 8; ++i) EXPECT_FALSE(cache.find(weight()).defined());
}

TEST_F(WeightCacheTest, TheFirstOfTwoCopiesStays) {
  WeightCache cache;
  const Tensor source = weight();
  const Tensor first = weight(2);

  EXPECT_TRUE(cache.insert(source, first).is_same(first));
  EXPECT_TRUE(cache.insert(source, weight(3)).is_same(first));
  EXPECT_EQ(cache.size(), 1U);
}

TEST_F(WeightCacheTest, EachOfManySourcesHasItsOwnCopy) {
  WeightCache cache;
  std::vector<std::pair<Tensor, Tensor>> kept;
  for (int i = 0; i < 300; ++i) {
    kept.emplace_back(weight(), weight());
    cache.insert(kept.back().first, kept.back().second);
  }

  EXPECT_EQ(cache.size(), kept.size());
  for (const auto& [source, copy] : kept) EXPECT_TRUE(cache.find(source).is_same(copy));
  EXPECT_EQ(cache.counts().hits, 300);
  EXPECT_FALSE(cache.find(weight()).defined());

  cache.clear();

  EXPECT_EQ(cache.size(), 0U);
  for (const auto& [source, copy] : kept) {
    EXPECT_FALSE(cache.find(source).defined());
    EXPECT_EQ(copy.body().use_count(), 1);
  }
}

TEST_F(WeightCacheTest, AHitTakesNoMemory) {
  const Tensor source = weight();

  EXPECT_EQ(allocations_of([&] { low(source); }), 0);
  EXPECT_EQ(cast_stats().conversions, 1);
}

TEST_F(WeightCacheTest, InTheFirstReleaseEachThreadHasItsOwn) {
  reset({Release::k1_13, true});
  const Tensor source = weight();
  const Tensor here = low(source);
  Tensor there;
  std::jthread([&] { there = low(source); }).join();

  EXPECT_FALSE(here.is_same(there));
  EXPECT_EQ(weight_cache().size(), 1U);
}

TEST_F(WeightCacheTest, AResetEmptiesTheCachesOfOtherThreadsToo) {
  reset({Release::k1_13, true});
  low(weight());
  ASSERT_EQ(weight_cache().size(), 1U);

  std::jthread([] { reset({Release::k1_13, true}); }).join();

  EXPECT_EQ(weight_cache().size(), 0U);
}

}  // namespace
}  // namespace assay::cuda::autocast
