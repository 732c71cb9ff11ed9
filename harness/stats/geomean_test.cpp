// Tests of the geometric mean and its interval.
#include "harness/stats/geomean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace assay::stats {
namespace {

using Clusters = std::vector<std::vector<double>>;

TEST(Geomean, IsTheRootOfTheProduct) {
  EXPECT_DOUBLE_EQ(geomean(Clusters{{2}, {8}}).value, 4);
  EXPECT_DOUBLE_EQ(geomean(Clusters{{2, 4}, {8}}).value, 4);
  EXPECT_EQ(geomean(Clusters{{2, 4}, {8}}).ratios, 3);
  EXPECT_EQ(geomean(Clusters{{2, 4}, {8}}).clusters, 2);
}

TEST(Geomean, OfFewClustersHasNoInterval) {
  EXPECT_FALSE(geomean(Clusters(4, {1.0, 2.0})).interval);
  EXPECT_TRUE(geomean(Clusters(5, {1.0, 2.0})).interval);
}

TEST(Geomean, OfEqualRatiosHasAnIntervalOfNoWidth) {
  const Geomean mean = geomean(Clusters(6, {1.25}));

  EXPECT_DOUBLE_EQ(mean.interval->low, 1.25);
  EXPECT_DOUBLE_EQ(mean.interval->high, 1.25);
}

TEST(Geomean, RepeatingACaseAtManyParametersMakesItNoSurer) {
  const Clusters few{{1.0}, {1.1}, {0.9}, {1.2}, {1.05}, {0.95}};
  Clusters many = few;
  for (std::vector<double>& cluster : many) cluster.resize(20, cluster.front());

  const Geomean one = geomean(few);
  const Geomean twenty = geomean(many);

  EXPECT_NEAR(one.interval->low, twenty.interval->low, 1e-12);
  EXPECT_NEAR(one.interval->high, twenty.interval->high, 1e-12);
}

TEST(Geomean, TheSeedDecidesTheResamples) {
  Clusters clusters;
  for (int i = 1; i <= 12; ++i) clusters.push_back({1 + 0.0137 * i * i});
  const Geomean one = geomean(clusters, {.seed = 1});
  const Geomean same = geomean(clusters, {.seed = 1});
  const Geomean other = geomean(clusters, {.seed = 2});

  EXPECT_EQ(one.interval->low, same.interval->low);
  EXPECT_NE(one.interval->low, other.interval->low);
  EXPECT_NEAR(one.interval->low, other.interval->low, 0.05);
}

TEST(Geomean, RefusesWhatIsNoRatio) {
  EXPECT_THROW(geomean(Clusters{}), std::invalid_argument);
  EXPECT_THROW(geomean(Clusters{{1}, {}}), std::invalid_argument);
  EXPECT_THROW(geomean(Clusters{{0}}), std::invalid_argument);
  EXPECT_THROW(geomean(Clusters{{-1}}), std::invalid_argument);
  EXPECT_THROW(geomean(Clusters{{std::nan("")}}), std::invalid_argument);
}

}  // namespace
}  // namespace assay::stats
