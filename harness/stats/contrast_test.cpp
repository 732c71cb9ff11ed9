// Tests of the five findings, of the estimate for undecided contrasts, and of adjusted p-values,
// computed by hand.
#include "harness/stats/contrast.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace assay::stats {
namespace {

using Values = std::vector<double>;

Contrast contrast(double low, double shift, double high) {
  // The inner interval is slightly narrower, as for samples of ten.
  const double in = 0.9;
  return {shift, {low, high}, {shift - in * (shift - low), shift + in * (high - shift)}, 0.01, 10,
          10,    0.05};
}

TEST(Judge, IntervalBeyondTheMarginIsADifference) {
  EXPECT_EQ(judge(contrast(0.03, 0.05, 0.07), 0.01, 0.02), Finding::kHigher);
  EXPECT_EQ(judge(contrast(-0.07, -0.05, -0.03), 0.01, 0.02), Finding::kLower);
}

TEST(Judge, IntervalInsideTheMarginIsTheSameEvenWithADifference) {
  EXPECT_EQ(judge(contrast(-0.01, 0, 0.01), 0.9, 0.02), Finding::kSame);
  EXPECT_EQ(judge(contrast(0.005, 0.01, 0.015), 0.0001, 0.02), Finding::kSame);
}

TEST(Judge, EquivalenceGoesByTheInnerInterval) {
  EXPECT_EQ(judge(contrast(-0.021, 0, 0.021), 0.9, 0.02), Finding::kSame);
  EXPECT_EQ(judge(contrast(-0.023, 0, 0.023), 0.9, 0.02), Finding::kUndecided);
}

TEST(Judge, ConfirmedDifferenceOverTheMarginsEndIsAChange) {
  EXPECT_EQ(judge(contrast(0.01, 0.03, 0.05), 0.01, 0.02), Finding::kChanged);
  EXPECT_EQ(judge(contrast(-0.05, -0.03, -0.01), 0.01, 0.02), Finding::kChanged);
}

TEST(Judge, WithoutConfirmationNothingIsDecided) {
  EXPECT_EQ(judge(contrast(0.03, 0.05, 0.07), 0.051, 0.02), Finding::kUndecided);
  EXPECT_EQ(judge(contrast(0.03, 0.05, 0.07), 0.050, 0.02), Finding::kHigher);
}

TEST(Contrast, OfSamplesThatAreTooSmallDecidesNothing) {
  const Contrast few = contrast_of(Values{1, 2, 3}, Values{11, 12, 13});

  EXPECT_EQ(judge(few, few.p, 0.5), Finding::kUndecided);
  EXPECT_EQ(more_to_decide(few, 0.5, 1), 1U);  // four a side allow p = 2 / 70
}

TEST(Contrast, KnowsWhenNoDifferenceCouldBeConfirmed) {
  const Values low{1, 2, 3, 4, 5, 6, 7};
  const Values high{11, 12, 13, 14, 15, 16, 17};
  const Contrast apart = contrast_of(low, high);
  const Contrast pairs = paired_contrast_of(low, high);

  EXPECT_DOUBLE_EQ(apart.p, 2.0 / 3432);
  EXPECT_TRUE(can_be_confirmed(apart, 85));
  EXPECT_FALSE(can_be_confirmed(apart, 86));
  EXPECT_TRUE(can_be_confirmed(pairs, 3));
  EXPECT_FALSE(can_be_confirmed(pairs, 4));
  EXPECT_FALSE(can_be_confirmed(contrast_of(Values{1}, Values{2}), 1));
}

TEST(Contrast, RefusesAnAlphaThatIsNone) {
  EXPECT_THROW(contrast_of(Values{1}, Values{1}, 0), std::invalid_argument);
  EXPECT_THROW(contrast_of(Values{1}, Values{1}, 0.5), std::invalid_argument);
}

TEST(MoreToDecide, GrowsWithTheSquareOfTheWidth) {
  // An inner half width of 0.027 must decrease to 0.02: 10 * (0.027 / 0.02)^2 = 18.2.
  EXPECT_EQ(more_to_decide(contrast(-0.03, 0, 0.03), 0.02, 1), 9U);
  // 0.054: 72.9.
  EXPECT_EQ(more_to_decide(contrast(-0.06, 0, 0.06), 0.02, 1), 63U);
}

TEST(MoreToDecide, GrowsWithTheNumberOfTests) {
  const Contrast unconfirmed = contrast(-0.01, 0.04, 0.09);

  EXPECT_LT(*more_to_decide(unconfirmed, 0.02, 1), *more_to_decide(unconfirmed, 0.02, 100));
}

TEST(MoreToDecide, SaysNothingWhereItWouldTakeTooMany) {
  EXPECT_EQ(more_to_decide(contrast(-0.5, 0.001, 0.5), 0.002, 10), std::nullopt);
}

TEST(Holm, MultipliesBySmallerAndSmallerCounts) {
  const Values adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});

  EXPECT_DOUBLE_EQ(adjusted[3], 4 * 0.005);
  EXPECT_DOUBLE_EQ(adjusted[0], 3 * 0.01);
  EXPECT_DOUBLE_EQ(adjusted[2], 2 * 0.03);
  EXPECT_DOUBLE_EQ(adjusted[1], 2 * 0.03);  // never less than the one before
}

TEST(Holm, NeverExceedsOne) { EXPECT_EQ(holm(Values{0.9, 0.8}), (Values{1, 1})); }

TEST(Holm, OfOneTestChangesNothing) { EXPECT_EQ(holm(Values{0.3}), Values{0.3}); }

TEST(Holm, OfNoTestsIsNothing) { EXPECT_TRUE(holm(Values{}).empty()); }

}  // namespace
}  // namespace assay::stats
