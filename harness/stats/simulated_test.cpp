// Tests of the statistics on simulated measurements: coverage of intervals, false alarms of whole
// families, and power. Seeds are fixed; limits follow from the binomial distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "harness/stats/contrast.hpp"
#include "harness/stats/counter_random.hpp"
#include "harness/stats/geomean.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/two_samples.hpp"

namespace assay::stats {
namespace {

using Values = std::vector<double>;
using Draw = std::function<double(CounterRandom&)>;

constexpr std::size_t kProcesses = 10;
const double kMargin = std::log(1.02);

/// In [0, 1).
double uniform(CounterRandom& random) { return static_cast<double>(random.word() >> 11) * 0x1p-53; }

double normal(CounterRandom& random) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

/// Sometimes a process is disturbed, and much slower.
double skewed(CounterRandom& random) {
  const double usual = normal(random);
  return uniform(random) < 0.1 ? usual + 20 * uniform(random) : usual;
}

/// A coarse clock produces ties.
double rounded(CounterRandom& random) { return std::round(2 * normal(random)); }

Values sample(CounterRandom& random, const Draw& draw, std::size_t size, double shift = 0) {
  Values values(size);
  for (double& value : values) value = shift + draw(random);
  return values;
}

/// Chance exceeds these limits once in a thousand times.
void expect_share(int count, int trials, double share) {
  const boost::math::binomial law(trials, share);
  EXPECT_GE(count, boost::math::quantile(law, 0.0005)) << "of " << trials << " at " << share;
  EXPECT_LE(count, boost::math::quantile(boost::math::complement(law, 0.0005)))
      << "of " << trials << " at " << share;
}

void expect_share_at_most(int count, int trials, double share) {
  const boost::math::binomial law(trials, share);
  EXPECT_LE(count, boost::math::quantile(boost::math::complement(law, 0.001)))
      << "of " << trials << " at " << share;
}

/// The largest possible p of two samples of ten that is at most `alpha`.
double attainable(double alpha) {
  double best = 0;
  for (const double tail : untied_u(kProcesses, kProcesses)) {
    if (2 * tail <= alpha) best = 2 * tail;
  }
  return best;
}

TEST(SimulatedInterval, OfAShiftCoversAsOftenAsTheExactTestSays) {
  constexpr int kTrials = 10000;
  for (const Draw& draw : {Draw(normal), Draw(skewed)}) {
    CounterRandom random(11);
    int missed = 0;
    for (int i = 0; i < kTrials; ++i) {
      const Values first = sample(random, draw, kProcesses);
      const Values second = sample(random, draw, kProcesses, 3);
      if (!shift_of(first, second).interval.contains(3)) ++missed;
    }
    expect_share(missed, kTrials, attainable(0.05));
  }
}

TEST(SimulatedInterval, OfAShiftCoversAtLeastAsOftenWithTies) {
  constexpr int kTrials = 10000;
  CounterRandom random(12);
  int missed = 0;
  int rejected = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Values first = sample(random, rounded, kProcesses);
    const Values second = sample(random, rounded, kProcesses, 3);
    if (!shift_of(first, second).interval.contains(3)) ++missed;
    if (mann_whitney(first, sample(random, rounded, kProcesses)).p <= 0.05) ++rejected;
  }
  expect_share_at_most(missed, kTrials, 0.05);
  expect_share_at_most(rejected, kTrials, 0.05);
}

TEST(SimulatedInterval, OfAMedianCoversAsTheBinomialLawSays) {
  constexpr int kTrials = 10000;
  CounterRandom random(13);
  int missed = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Median median = median_of(sample(random, normal, kProcesses));
    if (median.low > 0 || median.high < 0) ++missed;
  }
  expect_share(missed, kTrials, 2 * (1.0 + 10.0) / 1024);  // the ends are the 2nd and 9th value
}

TEST(SimulatedInterval, OfAGeomeanCoversThoughRatiosOfACaseVaryTogether) {
  constexpr int kTrials = 600;
  constexpr double kNominal = 0.05;
  CounterRandom random(14);
  int missed = 0;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<Values> clusters(12);
    for (Values& cluster : clusters) {
      const double of_case = 0.03 * normal(random);
      for (int j = 0; j < 6; ++j) cluster.push_back(std::exp(of_case + 0.005 * normal(random)));
    }
    const auto interval =
        geomean(clusters, {.resamples = 500, .seed = random.word()}).interval.value();
    if (!interval.contains(1)) ++missed;
  }
  expect_share(missed, kTrials, kNominal);
}

/// A machine whose processes run at one of two speeds, 1.5 apart, shared within a round.
struct Rounds {
  Values first, second;
};

Rounds two_speeds(CounterRandom& random, std::size_t rounds, double spread, double shift) {
  Rounds drawn;
  for (std::size_t i = 0; i < rounds; ++i) {
    const double speed = uniform(random) < 0.5 ? 0.0 : std::log(1.5);
    drawn.first.push_back(speed + spread * normal(random));
    drawn.second.push_back(speed + shift + spread * normal(random));
  }
  return drawn;
}

TEST(SimulatedPairs, CoverAsOftenAsTheExactTestSaysOnAMachineOfTwoSpeeds) {
  constexpr int kTrials = 10000;
  CounterRandom random(31);
  int missed = 0;
  int rejected = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Rounds rounds = two_speeds(random, kProcesses, 0.01, 0.05);
    const Contrast contrast = paired_contrast_of(rounds.first, rounds.second);
    if (!contrast.interval.contains(0.05)) ++missed;
    const Rounds same = two_speeds(random, kProcesses, 0.01, 0);
    if (paired_contrast_of(same.first, same.second).p <= 0.05) ++rejected;
  }
  // Of 1,024 signs those with a sum of ranks of at most 8, and as many at the other end.
  expect_share(missed, kTrials, 2 * 25.0 / 1024);
  expect_share(rejected, kTrials, 2 * 25.0 / 1024);
}

/// A family of pairs with the first one shifted; returns its findings.
std::vector<Finding> paired_family(CounterRandom& random, double shift, double spread,
                                   std::size_t rounds, std::size_t cases) {
  std::vector<Contrast> contrasts;
  Values p;
  for (std::size_t i = 0; i < cases; ++i) {
    const Rounds drawn = two_speeds(random, rounds, spread, i == 0 ? shift : 0);
    contrasts.push_back(paired_contrast_of(drawn.first, drawn.second));
    p.push_back(contrasts.back().p);
  }
  const Values adjusted = holm(p);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < cases; ++i) {
    findings.push_back(judge(contrasts[i], adjusted[i], kMargin));
  }
  return findings;
}

TEST(SimulatedPairs, FindFivePercentWhereTheSpeedsAreFiftyApart) {
  constexpr int kTrials = 1000;
  CounterRandom random(32);
  int found = 0;
  for (int i = 0; i < kTrials; ++i) {
    if (paired_family(random, std::log(1.05), 0.008, 12, 40)[0] == Finding::kHigher) ++found;
  }
  EXPECT_GE(found, 900);
}

TEST(SimulatedPairs, CallAThirdOfAPercentNeitherFasterNorSlower) {
  constexpr int kTrials = 1000;
  CounterRandom random(33);
  int beyond = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Finding finding = paired_family(random, std::log(1.003), 0.01, 12, 20)[0];
    if (finding == Finding::kHigher || finding == Finding::kLower) ++beyond;
  }
  expect_share_at_most(beyond, kTrials, 0.05 / 20);
}

TEST(SimulatedPairs, OfTheSameProgramRaiseFalseAlarmsAsRarelyAsPromised) {
  constexpr int kFamilies = 10000;
  CounterRandom random(34);
  int with_alarm = 0;
  for (int i = 0; i < kFamilies; ++i) {
    const auto findings = paired_family(random, 0, 0.03, 12, 20);
    const auto is_alarm = [](Finding finding) {
      return finding != Finding::kSame && finding != Finding::kUndecided;
    };
    if (std::ranges::any_of(findings, is_alarm)) ++with_alarm;
  }
  expect_share_at_most(with_alarm, kFamilies, 0.05);
}

struct Family {
  int differences = 0;  ///< confirmed, of any kind
  std::vector<Finding> findings;
};

Family compare_family(CounterRandom& random, const Values& shifts, double spread) {
  std::vector<Contrast> contrasts;
  Values p;
  for (const double shift : shifts) {
    const Draw draw = [&](CounterRandom& from) { return spread * normal(from); };
    const Values first = sample(random, draw, kProcesses);
    contrasts.push_back(contrast_of(first, sample(random, draw, kProcesses, shift)));
    p.push_back(contrasts.back().p);
  }
  const Values adjusted = holm(p);
  Family family;
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    if (adjusted[i] <= 0.05) ++family.differences;
    family.findings.push_back(judge(contrasts[i], adjusted[i], kMargin));
  }
  return family;
}

TEST(SimulatedFamily, OfTheSameProgramRaisesFalseAlarmsAsRarelyAsPromised) {
  constexpr int kFamilies = 10000;
  constexpr int kCases = 20;
  CounterRandom random(21);
  int with_confirmed = 0;
  int with_alarm = 0;
  for (int i = 0; i < kFamilies; ++i) {
    const Family family = compare_family(random, Values(kCases, 0.0), 0.03);
    if (family.differences > 0) ++with_confirmed;
    const auto is_alarm = [](Finding finding) {
      return finding != Finding::kSame && finding != Finding::kUndecided;
    };
    if (std::ranges::any_of(family.findings, is_alarm)) ++with_alarm;
  }
  const double of_one = attainable(0.05 / kCases);
  expect_share(with_confirmed, kFamilies, 1 - std::pow(1 - of_one, kCases));
  expect_share_at_most(with_alarm, kFamilies, 0.05);
}

TEST(SimulatedFamily, FindsAPlantedSlowdownOfFivePercent) {
  constexpr int kTrials = 1000;
  constexpr double kSpread = 0.015;  // between processes
  Values shifts(20, 0.0);
  shifts[7] = std::log(1.05);
  CounterRandom random(22);
  int found = 0;
  int others = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Family family = compare_family(random, shifts, kSpread);
    if (family.findings[7] == Finding::kHigher) ++found;
    if (family.differences > (family.findings[7] == Finding::kUndecided ? 0 : 1)) ++others;
  }
  EXPECT_GE(found, 900);
  expect_share_at_most(others, kTrials, 0.05);
}

TEST(SimulatedFamily, CallsAThirdOfAPercentNeitherFasterNorSlower) {
  constexpr int kTrials = 1000;
  for (const double spread : {0.003, 0.01, 0.03}) {
    Values shifts(20, 0.0);
    shifts[7] = std::log(1.003);
    CounterRandom random(23);
    int changed = 0;
    int beyond = 0;
    for (int i = 0; i < kTrials; ++i) {
      const Finding finding = compare_family(random, shifts, spread).findings[7];
      if (finding == Finding::kChanged) ++changed;
      if (finding == Finding::kHigher || finding == Finding::kLower) ++beyond;
    }
    expect_share_at_most(changed, kTrials, 0.05);
    expect_share_at_most(beyond, kTrials, 0.05 / 20);  // a false alarm's share of the family's
  }
}

TEST(SimulatedFamily, CallsTheMarginItselfTheSameInNoMoreThanAlpha) {
  constexpr int kTrials = 10000;
  CounterRandom random(24);
  int same = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Family family = compare_family(random, {kMargin}, 0.005);
    if (family.findings[0] == Finding::kSame) ++same;
  }
  expect_share_at_most(same, kTrials, 0.05);
}

TEST(SimulatedFamily, WithLittleNoiseDecides) {
  constexpr int kTrials = 1000;
  CounterRandom random(25);
  int same = 0;
  for (int i = 0; i < kTrials; ++i) {
    if (compare_family(random, {0.0}, 0.01).findings[0] == Finding::kSame) ++same;
  }
  EXPECT_GE(same, 900);
}

}  // namespace
}  // namespace assay::stats
