// Tests of change points: the partition against every partition, and what is no change.
#include "harness/stats/change_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "harness/stats/counter_random.hpp"

namespace assay::stats {
namespace {

using Values = std::vector<double>;
constexpr ChangeOptions kTwoPercent{0.01, 0.02, 3};

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}

  double uniform() { return (static_cast<double>(random_.word() >> 11) + 0.5) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  Values series(std::size_t count, double spread) {
    Values values(count);
    for (double& value : values) value = spread * normal();
    return values;
  }

 private:
  CounterRandom random_;
};

Values shifted_from(Values values, std::size_t index, double shift) {
  for (std::size_t i = index; i < values.size(); ++i) values[i] += shift;
  return values;
}

double cost_of(Values segment) {
  std::ranges::sort(segment);
  double sum = 0;
  for (const double value : segment) sum += std::abs(value - segment[segment.size() / 2]);
  return sum;
}

double cost_of(const Values& values, const std::vector<std::size_t>& splits, double penalty) {
  double cost = penalty * static_cast<double>(splits.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= splits.size(); ++i) {
    const std::size_t end = i == splits.size() ? values.size() : splits[i];
    cost += cost_of(Values(values.begin() + static_cast<std::ptrdiff_t>(begin),
                           values.begin() + static_cast<std::ptrdiff_t>(end)));
    begin = end;
  }
  return cost;
}

/// Over all sets of splits.
double least_cost(const Values& values, std::size_t shortest, double penalty) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < (std::size_t{1} << (values.size() - 1)); ++set) {
    std::vector<std::size_t> splits;
    std::size_t begin = 0;
    bool allowed = true;
    for (std::size_t i = 1; i <= values.size() && allowed; ++i) {
      if (i < values.size() && (set >> (i - 1) & 1) == 0) continue;
      allowed = i - begin >= shortest;
      begin = i;
      if (i < values.size()) splits.push_back(i);
    }
    if (allowed) least = std::min(least, cost_of(values, splits, penalty));
  }
  return least;
}

TEST(LeastCostSplits, CostNoMoreThanAnyOtherSplits) {
  Noise noise(1);
  for (int round = 0; round < 150; ++round) {
    const std::size_t count = 3 + static_cast<std::size_t>(noise.uniform() * 10);
    const std::size_t shortest = 1 + static_cast<std::size_t>(noise.uniform() * 3);
    const double penalty = 3 * noise.uniform();
    Values values = shifted_from(noise.series(count, 1), count / 2, 3);
    if (round % 2 == 0)
      std::ranges::transform(values, values.begin(), [](double v) { return std::round(v); });

    const auto splits = least_cost_splits(values, shortest, penalty);

    EXPECT_NEAR(cost_of(values, splits, penalty), least_cost(values, shortest, penalty), 1e-9)
        << count << " values, at least " << shortest << ", penalty " << penalty;
  }
}

TEST(LeastCostSplits, StandWhereTheLevelChanges) {
  EXPECT_EQ(least_cost_splits(Values{1, 1, 1, 1, 9, 9, 9, 2, 2, 2}, 3, 4),
            (std::vector<std::size_t>{4, 7}));
  EXPECT_TRUE(least_cost_splits(Values{1, 1, 1, 99, 1, 1, 1, 1}, 3, 4).empty());
}

TEST(Changes, FindAStepWithItsPlaceAndSize) {
  Noise noise(2);
  const auto found = changes_of(shifted_from(noise.series(24, 0.01), 17, 0.05), {}, kTwoPercent);

  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].index, 17U);
  EXPECT_NEAR(found.points[0].shift, 0.05, 0.015);
  EXPECT_LT(found.points[0].p, 0.001);
  EXPECT_NEAR(found.noise, 0.01, 0.006);
}

TEST(Changes, FindAStepUpAndDownAgain) {
  Noise noise(3);
  Values values = shifted_from(shifted_from(noise.series(30, 0.005), 10, 0.05), 20, -0.05);

  const auto found = changes_of(values, {}, kTwoPercent);

  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(found.points[0].index, 10U);
  EXPECT_EQ(found.points[1].index, 20U);
}

TEST(Changes, AreFoundOnASlowWave) {
  const Values wave{1.0,    0.9942, 0.995,  0.9913, 0.9903, 0.9891, 0.997,  1.0017,
                    1.0068, 1.0066, 1.0007, 1.0,    1.0372, 1.0436, 1.051,  1.0472,
                    1.0476, 1.0503, 1.0463, 1.0439, 1.042,  1.0423, 1.0503, 1.0451};

  const auto found = changes_of(wave, {}, {0.0001, 0.02, 3});

  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].index, 12U);
}

TEST(Changes, NeedMoreThanOneRunOrTwo) {
  for (const std::size_t disturbed : {1U, 2U}) {
    Noise noise(4);
    const Values values = shifted_from(noise.series(20, 0.005), 20 - disturbed, 0.2);

    const auto found = changes_of(values, {}, kTwoPercent);

    EXPECT_TRUE(found.points.empty()) << disturbed;
    EXPECT_EQ(found.apart_at_end, disturbed);
  }
}

TEST(Changes, AreFoundBesideADisturbedRun) {
  Noise noise(5);
  Values values = shifted_from(noise.series(24, 0.005), 14, 0.05);
  values[5] += 1.0;

  const auto found = changes_of(values, {}, kTwoPercent);

  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].index, 14U);
}

TEST(Changes, AreFoundThoughTheLastRunIsDisturbed) {
  Noise noise(9);
  Values values = shifted_from(noise.series(24, 0.005), 18, 0.06);
  values.back() += 0.3;

  const auto found = changes_of(values, {}, kTwoPercent);

  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].index, 18U);
}

TEST(Changes, AreNotDecidedByFewRuns) {
  const Values values{1, 1, 1, 1, 9, 9, 9};

  EXPECT_TRUE(changes_of(values, {}, kTwoPercent).too_few);
  EXPECT_TRUE(changes_of(values, {}, kTwoPercent).points.empty());
  EXPECT_FALSE(changes_of(Values{1, 1, 1, 1, 9, 9, 9, 9}, {}, kTwoPercent).too_few);
}

TEST(Changes, BelowTheMarginAreNone) {
  Noise noise(6);
  EXPECT_TRUE(
      changes_of(shifted_from(noise.series(40, 0.0005), 20, 0.01), {}, kTwoPercent).points.empty());
}

TEST(Changes, OfEqualValuesAreFoundWithoutNoise) {
  const auto found = changes_of(Values{5, 5, 5, 5, 6, 6, 6, 6}, {}, kTwoPercent);

  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].index, 4U);
}

TEST(Changes, BetweenLevelsThatEachRunStraddlesAreNone) {
  Values values(24, 0.0);
  for (std::size_t i = 20; i < 24; ++i) values[i] = 0.6;  // where most processes were, by chance

  constexpr ChangeOptions kAmongMany{0.001, 0.02, 3};
  EXPECT_EQ(changes_of(values, {}, kAmongMany).points.size(), 1U);
  EXPECT_TRUE(changes_of(values, Values(24, 0.25), kAmongMany).points.empty());
}

TEST(Changes, OfNoiseAreRare) {
  const double alphas[] = {0.1, 0.01};
  for (const double alpha : alphas) {
    Noise noise(7);
    int alarms = 0;
    constexpr int kSeries = 1000;
    for (int i = 0; i < kSeries; ++i) {
      const auto found = changes_of(noise.series(30, 0.02), {}, {alpha, 0, 3});
      if (!found.points.empty()) ++alarms;
    }
    EXPECT_LE(alarms, alpha * kSeries) << alpha;
  }
}

TEST(Changes, OfNoiseThatRemembersAreRare) {
  Noise noise(8);
  int alarms = 0;
  for (int i = 0; i < 1000; ++i) {
    Values values = noise.series(40, 0.02);
    for (std::size_t k = 1; k < values.size(); ++k) values[k] += 0.5 * values[k - 1];
    if (!changes_of(values, {}, {0.01, 0, 3}).points.empty()) ++alarms;
  }
  EXPECT_LE(alarms, 50);
}

TEST(Changes, RefuseNumbersThatAreNone) {
  Values values(10, 1.0);
  EXPECT_THROW(changes_of(values, Values(9, 1.0), kTwoPercent), std::invalid_argument);
  values[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(changes_of(values, {}, kTwoPercent), std::invalid_argument);
}

}  // namespace
}  // namespace assay::stats
