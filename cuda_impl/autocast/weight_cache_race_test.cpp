// Concurrent use of the weight cache; most useful with the thread sanitizer.
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "cuda_impl/autocast/weight_cache.hpp"

namespace assay::cuda::autocast {
namespace {

constexpr int kRounds = 300;

Tensor made() { return empty({1}, Dtype::kFloat32, kCpu); }

TEST(WeightCacheRace, TwoSourcesAreKeptClearedAndFoundAtOnce) {
  WeightCache cache;
  const std::array sources = {made(), made()};
  std::atomic<int> wrong = 0;
  const auto keep = [&] {
    for (int i = 0; i < kRounds; ++i) {
      const Tensor copy = made();
      const Tensor& source = sources[static_cast<std::size_t>(i % 2)];
      wrong += cache.insert(source, copy).defined() ? 0 : 1;
      static_cast<void>(cache.find(sources[static_cast<std::size_t>((i + 1) % 2)]));
    }
  };
  std::vector<std::jthread> threads;
  threads.emplace_back(keep);
  threads.emplace_back(keep);

  for (int i = 0; i < kRounds; ++i) cache.clear();
  threads.clear();

  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cache.size(), sources.size());
}

TEST(WeightCacheRace, ASourceMayGoWhileOthersLook) {
  WeightCache cache;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const Tensor source = made();
        const Tensor copy = made();
        EXPECT_TRUE(cache.insert(source, copy).is_same(copy));
      }
    });
  }
}

TEST(WeightCacheRace, StaticOutputsAreSetAndAskedForAtOnce) {
  const std::array outputs = {made(), made()};
  const auto turn = [&](std::size_t mine) {
    for (int i = 0; i < kRounds; ++i) {
      set_static_output(outputs[mine], true);
      EXPECT_TRUE(is_static_output(outputs[mine]));
      set_static_output(outputs[mine], false);
      EXPECT_FALSE(is_static_output(outputs[mine]));
    }
  };
  std::jthread first([&] { turn(0); });
  std::jthread second([&] { turn(1); });
}

}  // namespace
}  // namespace assay::cuda::autocast
