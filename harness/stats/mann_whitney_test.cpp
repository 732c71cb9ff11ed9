// Tests of the U test, against distributions counted by hand and values from tables.
#include "harness/stats/mann_whitney.hpp"

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

}  // namespace
}  // namespace assay::stats
