// Turns: their order, results on a machine that changes its speed, and contenders that fail.
#include "harness/bench/turns.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay::bench {
namespace {

using measure::TimedLoop;
using measure::TimingOptions;

constexpr std::chrono::nanoseconds kMinTime{1000};

TimingOptions samples(int count) { return {count, kMinTime}; }

/// One sample of so many nanoseconds.
TimedLoop sample_of(double ns) { return {{ns}, 100, "c++", {}, {}}; }

TEST(Turns, GoThereAndBackAndOnlyTheFirstLetsBatchesGrow) {
  std::vector<std::pair<std::size_t, std::int64_t>> asked;
  const auto take = [&](std::size_t contender, const TimingOptions& timing) {
    EXPECT_EQ(timing.samples, 1);
    EXPECT_EQ(timing.min_time, kMinTime);
    asked.emplace_back(contender, timing.iterations);
    TimedLoop timed = sample_of(static_cast<double>(asked.size()));
    timed.iterations = 100 + static_cast<std::int64_t>(contender);
    return std::optional(timed);
  };

  const std::vector<Turns> all = take_turns({4, 2}, samples(3), 1, take);

  EXPECT_EQ(asked, (std::vector<std::pair<std::size_t, std::int64_t>>{
                       {4, 0}, {2, 0}, {2, 102}, {4, 104}, {4, 104}, {2, 102}}));
  ASSERT_EQ(all.size(), 2U);
  std::map<std::size_t, std::vector<double>> taken;
  for (const Turns& turns : all) taken[turns.contender] = turns.timed.samples;
  EXPECT_EQ(taken[4], (std::vector<double>{1, 4, 5}));
  EXPECT_EQ(taken[2], (std::vector<double>{2, 3, 6}));
}

/// Of contender `of`, as a multiple of contender `to`.
double ratio(const std::vector<Turns>& all, std::size_t of, std::size_t to) {
  std::map<std::size_t, double> relative;
  for (const Turns& turns : all) relative[turns.contender] = turns.relative.value();
  return relative.at(of) / relative.at(to);
}

TEST(Turns, TheSpeedOfATurnFallsOut) {
  // The second takes 5 % longer; half of the turns are on a machine of half the speed.
  std::map<std::size_t, int> turn;
  const auto take = [&](std::size_t contender, const TimingOptions&) {
    const double speed = turn[contender]++ % 4 < 2 ? 1 : 2;
    return std::optional(sample_of((contender == 0 ? 100 : 105) * speed));
  };
  EXPECT_NEAR(ratio(take_turns({0, 1}, samples(20), 1, take), 1, 0), 1.05, 1e-12);
  EXPECT_NEAR(ratio(take_turns({0, 1, 2}, samples(20), 1, take), 1, 0), 1.05, 1e-12);
}

TEST(Turns, WhoFailsTakesNoFurtherTurnAndIsLeftOut) {
  std::map<std::size_t, int> turn;
  const auto take = [&](std::size_t contender, const TimingOptions&) -> std::optional<TimedLoop> {
    if (++turn[contender] == 2 && contender == 1) return std::nullopt;
    return sample_of(100.0 + static_cast<double>(contender));
  };

  const std::vector<Turns> all = take_turns({0, 1, 2}, samples(5), 1, take);

  EXPECT_EQ(turn, (std::map<std::size_t, int>{{0, 5}, {1, 2}, {2, 5}}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NEAR(ratio(all, 2, 0), 1.02, 1e-12);
}

TEST(Turns, WhoIsLeftAloneIsRelativeToNobody) {
  const auto take = [](std::size_t contender, const TimingOptions&) {
    return contender == 0 ? std::nullopt : std::optional(sample_of(7));
  };
  const std::vector<Turns> all = take_turns({0, 1}, samples(4), 1, take);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].timed.samples.size(), 4U);
  EXPECT_EQ(all[0].relative, std::nullopt);
}

TEST(Turns, AZeroHasNoRatio) {
  const auto take = [](std::size_t contender, const TimingOptions&) {
    return std::optional(sample_of(contender == 0 ? 0 : 7));
  };
  for (const Turns& turns : take_turns({0, 1}, samples(2), 1, take)) {
    EXPECT_EQ(turns.relative, std::nullopt);
  }
}

TEST(Turns, EndEarlyWhereALoopBecomesTooSlow) {
  int asked = 0;
  const auto take = [&](std::size_t, const TimingOptions&) {
    ++asked;
    return std::optional(sample_of(1e9));  // 100 of them are more than a minute
  };
  EXPECT_EQ(take_turns({0, 1}, samples(20), 1, take).size(), 2U);
  EXPECT_EQ(asked, 2);
}

TEST(Turns, SlicesMakeSamples) {
  std::map<std::size_t, int> turn;
  const auto take = [&](std::size_t contender, const TimingOptions& timing) {
    EXPECT_EQ(timing.min_time, kMinTime / 4);
    TimedLoop timed = sample_of(10 + turn[contender]++);
    timed.sm_clocks_mhz = {turn[contender]};
    return std::optional(timed);
  };
  const std::vector<Turns> all = take_turns({0, 1}, samples(2), 4, take);
  for (const Turns& turns : all) {
    EXPECT_EQ(turns.timed.samples, (std::vector<double>{11.5, 15.5}));
    EXPECT_EQ(turns.timed.sm_clocks_mhz, (std::vector<std::int64_t>{4, 8}));
    EXPECT_EQ(turns.timed.iterations, 400);
    EXPECT_EQ(turns.relative, 1);
  }
}

TEST(Turns, TooFewSlicesForASampleAreOneAllTheSame) {
  const auto take = [](std::size_t, const TimingOptions&) { return std::optional(sample_of(1e9)); };
  for (const Turns& turns : take_turns({0, 1}, samples(20), 4, take)) {
    EXPECT_EQ(turns.timed.samples, std::vector<double>{1e9});
  }
}

TEST(Turns, ClocksStandBehindTheirSamplesAndReasonsAreNamedOnce) {
  std::int64_t clock = 1000;
  const auto take = [&](std::size_t, const TimingOptions&) {
    TimedLoop timed = sample_of(5);
    timed.sm_clocks_mhz = {clock++};
    timed.throttled_by = {"power"};
    return std::optional(timed);
  };
  const std::vector<Turns> all = take_turns({0}, samples(3), 1, take);
  EXPECT_EQ(all[0].timed.sm_clocks_mhz, (std::vector<std::int64_t>{1000, 1001, 1002}));
  EXPECT_EQ(all[0].timed.throttled_by, std::vector<std::string>{"power"});
}

}  // namespace
}  // namespace assay::bench
