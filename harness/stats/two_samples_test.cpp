// Tests of the U test, against distributions counted by hand and values from tables, and of the
// Hodges-Lehmann estimate.
#include "harness/stats/two_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace assay::stats {
namespace {

using Values = std::vector<double>;

Values counting(double from, std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

TEST(MannWhitney, OfSeparateSamplesIsTheSmallestPossible) {
  const MannWhitney three = mann_whitney(Values{1, 2, 3}, Values{4, 5, 6});
  const MannWhitney ten = mann_whitney(counting(20, 10), counting(1, 10));

  EXPECT_EQ(three.u, 9);
  EXPECT_DOUBLE_EQ(three.p, 2.0 / 20);
  EXPECT_EQ(ten.u, 0);
  EXPECT_DOUBLE_EQ(ten.p, 2.0 / 184756);
}

TEST(MannWhitney, CountsEachDealOfTiedValues) {
  // Pooled ranks 1 3 3 3 5 6; the second sample has 3 + 5 + 6 = 14, reached by 3 of 20 assignments.
  const MannWhitney tied = mann_whitney(Values{1, 2, 2}, Values{2, 3, 4});

  EXPECT_EQ(tied.u, 8);
  EXPECT_DOUBLE_EQ(tied.p, 2 * 3.0 / 20);
  EXPECT_TRUE(tied.is_exact);
}

TEST(MannWhitney, OfEqualValuesIsOne) {
  EXPECT_EQ(mann_whitney(Values(5, 1.0), Values(5, 1.0)).p, 1);
  EXPECT_EQ(mann_whitney(Values(50, 1.0), Values(50, 1.0)).p, 1);
}

TEST(MannWhitney, IsTheSameFromBothSides) {
  const Values first{1, 4, 4, 7};
  const Values second{4, 5, 6, 8, 8};

  EXPECT_DOUBLE_EQ(mann_whitney(first, second).p, mann_whitney(second, first).p);
}

TEST(MannWhitney, BeyondItsLimitIsTheNormalApproximation) {
  Values second = counting(1, 30);
  for (double& value : second) value += 4.5;

  const MannWhitney exact = mann_whitney(counting(1, 30), second);
  second.push_back(20);
  const MannWhitney approximate = mann_whitney(counting(1, 30), second);

  EXPECT_TRUE(exact.is_exact);
  EXPECT_FALSE(approximate.is_exact);
  EXPECT_NEAR(exact.p, approximate.p, 0.02);
}

TEST(MannWhitney, NeedsNumbersOnBothSides) {
  EXPECT_THROW(mann_whitney(Values{}, Values{1}), std::invalid_argument);
  EXPECT_THROW(mann_whitney(Values{1}, Values{}), std::invalid_argument);
  EXPECT_THROW(mann_whitney(Values{1}, Values{std::nan("")}), std::invalid_argument);
}

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
