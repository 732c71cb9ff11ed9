// The launch plans of the specification; chunks cover every tensor.
#include "reference/amp/launch_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace assay::reference {

namespace {

using Counts = std::vector<std::int64_t>;

Counts repeated(std::int64_t count, std::size_t times) { return Counts(times, count); }

Counts blocks_of(const Counts& counts, std::int64_t most_tensors, std::int64_t most_blocks,
                 bool drops_tail = false) {
  Counts blocks;
  for (const Launch& launch : plan_launches(counts, {most_tensors, most_blocks}, drops_tail)) {
    blocks.push_back(static_cast<std::int64_t>(launch.size()));
  }
  return blocks;
}

void expect_plans(const Counts& counts, const Counts& small, const Counts& large) {
  EXPECT_EQ(blocks_of(counts, 110, 320), small);
  EXPECT_EQ(blocks_of(counts, 770, 2240), large);
}

TEST(LaunchPlan, P01FillsOneLaunch) { expect_plans(repeated(1, 110), {110}, {110}); }

TEST(LaunchPlan, P02NeedsASecondForTensor111) { expect_plans(repeated(1, 111), {110, 1}, {111}); }

TEST(LaunchPlan, P03FillsAllBlocksWithOneTensor) {
  expect_plans({320 * kChunkElements}, {320}, {320});
}

TEST(LaunchPlan, P04CarriesTheRestOfATensor) {
  expect_plans({320 * kChunkElements + 1}, {320, 1}, {321});
}

TEST(LaunchPlan, P05FillsTheBlocksBeforeTheTensors) {
  expect_plans({319 * kChunkElements, 1, 1}, {320, 1}, {321});
}

TEST(LaunchPlan, P06LaunchesNothingForEmptyTensors) { expect_plans(repeated(0, 1000), {}, {}); }

TEST(LaunchPlan, P07LaunchesBeforeAnEmptyTail) { expect_plans({10, 0}, {1}, {1}); }

TEST(LaunchPlan, P08SkipsEmptyTensors) { expect_plans({0, 7, 0, 7}, {2}, {2}); }

TEST(LaunchPlan, P09CountsTensorsNotElements) {
  Counts small = repeated(110, 5);
  small.push_back(90);
  expect_plans(repeated(kChunkElements, 640), small, {640});
}

TEST(LaunchPlan, P10NeedsASecondForTensor771) {
  Counts small = repeated(110, 7);
  small.push_back(1);
  expect_plans(repeated(1, 771), small, {770, 1});
}

TEST(LaunchPlan, DropsThePendingLaunchBeforeRelease2_1) {
  EXPECT_EQ(blocks_of({10, 0}, 110, 320, true), Counts{});
}

TEST(LaunchPlan, CarriedTensorTakesASlotOfTheNextLaunch) {
  Counts counts = {320 * kChunkElements + 1};
  counts.resize(111, 1);

  EXPECT_EQ(blocks_of(counts, 110, 320), (Counts{320, 110, 1}));
}

TEST(LaunchPlan, CoversEveryElementOnce) {
  const Counts counts = {3 * kChunkElements + 5, 0, 1, kChunkElements};
  Counts covered(counts.size(), 0);

  for (const Launch& launch : plan_launches(counts, {2, 3})) {
    for (const Chunk& chunk : launch) {
      EXPECT_EQ(chunk.first, covered[chunk.tensor]);
      covered[chunk.tensor] += chunk.count;
    }
  }

  EXPECT_EQ(covered, counts);
}

}  // namespace

}  // namespace assay::reference
