// Tests of the signed-rank test and its interval, on samples computed by hand.
#include "harness/stats/signed_ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "harness/stats/contrast.hpp"

namespace assay::stats {
namespace {

using Values = std::vector<double>;

TEST(SignedRanks, OfOneSignHaveTheSmallestP) {
  EXPECT_DOUBLE_EQ(signed_ranks(Values{1, 2, 3, 4, 5}).w, 15);
  EXPECT_DOUBLE_EQ(signed_ranks(Values{1, 2, 3, 4, 5}).p, 2.0 / 32);
  EXPECT_DOUBLE_EQ(signed_ranks(Values{-1, -2, -3, -4, -5}).p, 2.0 / 32);
  EXPECT_DOUBLE_EQ(smallest_signed_p(5), 2.0 / 32);
}

TEST(SignedRanks, LeaveZerosOutAndShareRanksOfEqualDistances) {
  const SignedRanks test = signed_ranks(Values{0, 0, 2, -2, 3});
  EXPECT_DOUBLE_EQ(test.w, 1.5 + 3);
  // Sums 0, 1.5 (twice), 3, 3, 4.5 (twice), 6 of eight: three are at least 4.5.
  EXPECT_DOUBLE_EQ(test.p, 2 * 3.0 / 8);
  EXPECT_DOUBLE_EQ(signed_ranks(Values{0, 0}).p, 1);
}

TEST(SignedRanks, RefuseWhatIsNoSample) {
  EXPECT_THROW(signed_ranks(Values{}), std::invalid_argument);
  EXPECT_THROW(signed_ranks(Values{std::nan("")}), std::invalid_argument);
  EXPECT_THROW(WalshAverages(Values{}), std::invalid_argument);
}

TEST(WalshAverages, LeaveOutAsManyAsTheTestAllows) {
  const WalshAverages averages(Values{1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(averages.middle(), 3.5);
  const Interval interval = averages.interval(0.95);  // P(W <= 0) = 1/64 <= 0.025 < P(W <= 1)
  EXPECT_DOUBLE_EQ(interval.low, 1);
  EXPECT_DOUBLE_EQ(interval.high, 6);
  EXPECT_EQ(WalshAverages(Values{1, 2, 3, 4, 5}).interval(0.95).high,
            std::numeric_limits<double>::infinity());
}

TEST(PairedContrast, SeesThroughWhatDisturbsBothSidesAlike) {
  const Values first{10, 15, 10.1, 15.1, 10.2, 15.2, 10.3, 15.3};
  Values second = first;
  for (std::size_t i = 0; i < second.size(); ++i) second[i] += 0.5 + 0.01 * static_cast<double>(i);

  EXPECT_GT(contrast_of(first, second).p, 0.05);
  const Contrast paired = paired_contrast_of(first, second);
  EXPECT_DOUBLE_EQ(paired.p, 2.0 / 256);
  EXPECT_NEAR(paired.shift, 0.535, 1e-9);
  EXPECT_GE(paired.interval.low, 0.5);
  EXPECT_LE(paired.interval.high, 0.57 + 1e-9);
}

TEST(PairedContrast, OfTooFewPairsNamesHowManyWouldDecide) {
  const Contrast few = paired_contrast_of(Values{1, 2, 3, 4}, Values{2, 3.1, 4.2, 5.3});
  EXPECT_EQ(judge(few, few.p, 0.1), Finding::kUndecided);
  EXPECT_EQ(more_to_decide(few, 0.1, 1), 2U);   // 2 / 2^6 is at most 0.05
  EXPECT_EQ(more_to_decide(few, 0.1, 20), 6U);  // 2 / 2^10 is at most 0.05 / 20
}

TEST(PairedContrast, NeedsPairs) {
  EXPECT_THROW(paired_contrast_of(Values{1, 2}, Values{1}), std::invalid_argument);
}

}  // namespace
}  // namespace assay::stats
