// Tests of Holm's adjusted p-values, computed by hand.
#include "harness/stats/holm.hpp"

#include <gtest/gtest.h>

namespace assay::stats {
namespace {

using Values = std::vector<double>;

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
