// Tests of medians and their intervals, against ranks from tables of the binomial distribution, and
// of median polish: exact tables, wild values, wild rows, columns of two speeds.
#include "harness/stats/median.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace assay::stats {
namespace {

/// 1, 2, … count: each value is its own rank. Rotated, so that they are not sorted.
std::vector<double> ranks(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count / 3),
              values.end());
  return values;
}

TEST(Median, IsTheMiddleValueOrTheMeanOfTwo) {
  EXPECT_EQ(median_of({3, 1, 2}).value, 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}).value, 2.5);
  EXPECT_EQ(median_of({7}).value, 7);
}

TEST(Median, ItsIntervalLiesBetweenTheRanksOfTheTables) {
  // Count and rank at 95 %.
  constexpr std::array<std::array<std::size_t, 2>, 8> kTable{
      {{6, 1}, {9, 2}, {15, 4}, {20, 6}, {31, 10}, {50, 18}, {100, 40}, {2000, 956}}};
  for (const auto& [count, rank] : kTable) {
    const Median median = median_of(ranks(count));

    EXPECT_EQ(median.low, static_cast<double>(rank)) << count << " values";
    EXPECT_EQ(median.high, static_cast<double>(count + 1 - rank)) << count << " values";
  }
}

TEST(Median, OfTooFewValuesTheIntervalIsAllOfThem) {
  const Median median = median_of(ranks(5));

  EXPECT_EQ(median.low, 1);
  EXPECT_EQ(median.high, 5);
}

TEST(Median, ALargerConfidenceGivesAWiderInterval) {
  const Median usual = median_of(ranks(31));
  const Median surer = median_of(ranks(31), 0.99);

  EXPECT_LT(surer.low, usual.low);
  EXPECT_GT(surer.high, usual.high);
}

TEST(Median, OfNothingOrOfNoNumberIsRefused) {
  EXPECT_THROW(median_of({}), std::invalid_argument);
  EXPECT_THROW(median_of({1, std::nan("")}), std::invalid_argument);
}

using Rows = std::vector<std::vector<double>>;

void expect_effects(const Rows& rows, const std::vector<double>& wanted) {
  const std::vector<double> effects = row_effects(rows);
  ASSERT_EQ(effects.size(), wanted.size());
  for (std::size_t r = 0; r < wanted.size(); ++r) EXPECT_NEAR(effects[r], wanted[r], 1e-12) << r;
}

TEST(MedianPolish, AnAdditiveTableIsTakenApart) {
  expect_effects({{1, 5, 2, 9}, {2, 6, 3, 10}, {6, 10, 7, 14}}, {-2, -1, 3});
}

TEST(MedianPolish, OfTwoRowsTheMedianOfTheDifferencesIsLeft) {
  expect_effects({{0, 10, 0, 10, 0}, {1, 11, 3, 11, 1}}, {-0.5, 0.5});
}

TEST(MedianPolish, OneWildValueMovesNoEffect) {
  expect_effects({{1, 5, 2, 9}, {2, 6, 300, 10}, {6, 10, 7, 14}}, {-2, -1, 3});
}

TEST(MedianPolish, AWildRowMovesNoOther) {
  const std::vector<double> effects =
      row_effects({{0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 2, 3, 2, 3, 2, 3}, {7, 7, 0, 0, 7, 7, 0, 0}});
  EXPECT_NEAR(effects[1] - effects[0], 2, 1e-12);
}

TEST(MedianPolish, OneRowHasNoEffect) { expect_effects({{3, 4, 5}}, {0}); }

}  // namespace
}  // namespace assay::stats
