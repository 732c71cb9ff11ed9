// Tests of the Hodges-Lehmann estimate and the ranks of its interval.
#include "harness/stats/shift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::stats {
namespace {

using Values = std::vector<double>;

/// The differences are -10 * (count - 1) … 9, each once, so a difference shows its rank.
std::pair<Values, Values> with_ranked_differences(std::size_t count) {
  Values first;
  Values second;
  for (std::size_t i = 0; i < count; ++i) first.push_back(10.0 * static_cast<double>(i));
  for (int i = 0; i < 10; ++i) second.push_back(i);
  return {first, second};
}

TEST(Shift, IsTheMedianOfAllDifferences) {
  EXPECT_EQ(shift_of(Values{1, 2, 3}, Values{2, 4, 9}).value, 2);
  EXPECT_EQ(shift_of(Values{1, 2}, Values{2, 4}).value, 1.5);  // of 0 1 2 3
}

TEST(Shift, ItsIntervalEndsAtTheRanksOfTheTables) {
  const auto [first, second] = with_ranked_differences(10);

  // The critical value of U is 23 for two samples of ten at 5 %, 16 at 1 %.
  const Interval at_95 = shift_of(first, second, 0.95).interval;
  const Interval at_99 = shift_of(first, second, 0.99).interval;

  EXPECT_EQ(at_95.low, -91 + 24);
  EXPECT_EQ(at_95.high, 10 - 24);
  EXPECT_EQ(at_99.low, -91 + 17);
  EXPECT_EQ(at_99.high, 10 - 17);
}

TEST(Shift, LargeSamplesUseTheNormalDistribution) {
  // The mean of U is 300, its deviation sqrt(60 * 10 * 71 / 12) = 59.58: U is rejected up to
  // 300 - 0.5 - 1.96 * 59.58 = 182.7.
  const auto [first, second] = with_ranked_differences(60);

  const Interval interval = shift_of(first, second, 0.95).interval;

  EXPECT_EQ(interval.low, -591 + 183);
  EXPECT_EQ(interval.high, 10 - 183);
}

TEST(Shift, OfTooFewValuesHasNoInterval) {
  const Estimate shift = shift_of(Values{1, 2, 3}, Values{4, 5, 6}, 0.95);

  EXPECT_EQ(shift.value, 3);
  EXPECT_TRUE(std::isinf(shift.interval.low));
  EXPECT_TRUE(std::isinf(shift.interval.high));
}

TEST(Shift, ChangesSidesWithTheSamples) {
  const Values first{1, 5, 9, 12, 13};
  const Values second{3, 4, 8, 20, 30};
  const Estimate there = shift_of(first, second, 0.9);
  const Estimate back = shift_of(second, first, 0.9);

  EXPECT_EQ(there.value, -back.value);
  EXPECT_EQ(there.interval.low, -back.interval.high);
}

}  // namespace
}  // namespace assay::stats
