// Tests that the generator gives the published words, and that its numbers are uniform.
#include "harness/stats/counter_random.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay::stats {
namespace {

TEST(CounterRandom, GivesTheWordsOfSplitMix64) {
  CounterRandom random(1234567);

  // From the generator's published test vector.
  EXPECT_EQ(random.word(), 6457827717110365317U);
  EXPECT_EQ(random.word(), 3203168211198807973U);
  EXPECT_EQ(random.word(), 9817491932198370423U);
}

TEST(CounterRandom, AWordDependsOnSeedAndPositionOnly) {
  CounterRandom random(7);
  random.word();

  EXPECT_EQ(random.word(), CounterRandom(7).at(1));
  EXPECT_NE(random.word(), CounterRandom(8).at(2));
}

TEST(CounterRandom, DrawsEveryNumberAboutEquallyOften) {
  CounterRandom random(1);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60000; ++i) ++seen[random.below(seen.size())];

  for (const int count : seen) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace
}  // namespace assay::stats
