// Counted and watched handles, also on several threads at once.
#include "cuda_impl/core/counted.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace assay::cuda {
namespace {

/// Counts its living instances.
struct Alive {
  explicit Alive(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Alive() { --count_; }
  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;

 private:
  std::atomic<int>& count_;
};

TEST(Counted, TheLastOfTwoOwnersDestroysTheObject) {
  std::atomic<int> alive = 0;
  auto first = Counted<Alive>::make(alive);
  auto second = first;
  EXPECT_EQ(first.use_count(), 2);

  first = {};
  EXPECT_EQ(alive, 1);
  second = {};

  EXPECT_EQ(alive, 0);
}

TEST(Counted, AMoveHandsTheCountOn) {
  std::atomic<int> alive = 0;
  auto first = Counted<Alive>::make(alive);

  const auto second = std::move(first);

  EXPECT_FALSE(first);  // NOLINT: tests the moved-from state
  EXPECT_EQ(second.use_count(), 1);
}

TEST(Counted, AssigningItselfKeepsIt) {
  std::atomic<int> alive = 0;
  auto owner = Counted<Alive>::make(alive);
  const auto& same = owner;

  owner = same;

  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(alive, 1);
}

TEST(Watched, DoesNotKeepTheObject) {
  std::atomic<int> alive = 0;
  auto owner = Counted<Alive>::make(alive);
  const Watched<Alive> first = owner;
  const Watched<Alive> second = first;
  EXPECT_EQ(first.lock().get(), owner.get());

  owner = {};

  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(first.expired());
  EXPECT_TRUE(second.expired());
  EXPECT_FALSE(second.lock());
}

TEST(Watched, AnotherObjectIsNotTheOneThatIsGone) {
  std::atomic<int> alive = 0;
  auto owner = Counted<Alive>::make(alive);
  const Watched<Alive> gone = owner;
  owner = {};

  // A watcher keeps the memory from being reused.
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(gone.is_of(Counted<Alive>::make(alive)));
}

TEST(Watched, LockingRacesWithTheLastOwner) {
  constexpr int kRounds = 500;
  std::atomic<int> alive = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto owner = Counted<Alive>::make(alive);
    const Watched<Alive> known = owner;
    const auto look = [&] {
      const Counted<Alive> found = known.lock();
      EXPECT_TRUE(!found || alive == 1);
    };
    std::jthread first(look);
    std::jthread second(look);
    owner = {};
    first.join();
    second.join();

    EXPECT_EQ(alive, 0);
  }
}

TEST(Counted, OwnersOfTwoThreadsComeAndGo) {
  constexpr int kRounds = 2000;
  std::atomic<int> alive = 0;
  {
    const auto owner = Counted<Alive>::make(alive);
    const auto share = [&] {
      for (int i = 0; i < kRounds; ++i) EXPECT_GE(Counted<Alive>(owner).use_count(), 2);
    };
    std::jthread first(share);
    std::jthread second(share);
    first.join();
    second.join();
    EXPECT_EQ(owner.use_count(), 1);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace assay::cuda
