// Median polish: exact tables, wild values, wild rows, columns of two speeds.
#include "harness/stats/median_polish.hpp"

#include <gtest/gtest.h>

namespace assay::stats {
namespace {

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
