// Tests of the search for odd members: odd ones, healthy levels, and rare flips of processes.
#include "harness/stats/odd_one.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace assay::stats {
namespace {

constexpr double kFloor = 0.003;
constexpr double kShift = 0.05;

using Draw = std::mt19937_64;

double normal(Draw& draw, double deviation) {
  return std::normal_distribution<double>(0, deviation)(draw);
}

/// Members with 12 replicates; `level` gives the level of a member, `flip` adds to a replicate.
std::vector<Member> group_of(
    std::size_t size, Draw& draw, const std::function<double(std::size_t)>& level,
    const std::function<double()>& flip = [] { return 0.0; }) {
  std::vector<Member> members;
  for (std::size_t i = 0; i < size; ++i) {
    const double own = level(i) + normal(draw, 0.004);
    std::vector<double> replicates;
    for (int r = 0; r < 12; ++r) replicates.push_back(own + normal(draw, 0.003) + flip());
    members.push_back(member_of(std::move(replicates)));
  }
  return members;
}

double least_p(const std::vector<Oddness>& all, std::size_t but = std::size_t(-1)) {
  double least = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != but && all[i].beyond > 0.02) least = std::min(least, all[i].p);
  }
  return least;
}

TEST(OddOne, IsFoundInGroupsOfAllSizes) {
  Draw draw(1);
  for (const std::size_t size : {8U, 16U, 100U, 1000U}) {
    const auto members =
        group_of(size, draw, [](std::size_t i) { return i == 3 ? 2 * kShift : 0.0; });

    const auto all = oddness_of(members, kFloor);

    EXPECT_LT(all[3].p, 1e-4) << size;
    EXPECT_NEAR(all[3].shift, 2 * kShift, 0.02) << size;
    EXPECT_GT(all[3].beyond, kShift) << size;
    EXPECT_GT(least_p(all, 3), 1e-4) << size;
  }
}

TEST(OddOne, ALargeHealthyGroupHasNone) {
  Draw draw(2);
  for (int group = 0; group < 20; ++group) {
    const auto members = group_of(1000, draw, [](std::size_t) { return 0.0; });

    EXPECT_GT(least_p(oddness_of(members, kFloor)), 1e-6) << group;
  }
}

TEST(OddOne, LevelsOfAHealthyGroupAreNotOdd) {
  Draw draw(3);
  for (const std::size_t size : {8U, 16U, 200U}) {
    for (const std::size_t every : {2U, 3U, 4U}) {
      const auto members =
          group_of(size, draw, [&](std::size_t i) { return i % every == 0 ? 0.12 : 0.0; });

      EXPECT_GT(least_p(oddness_of(members, kFloor)), 1e-4) << size << " " << every;
    }
  }
}

TEST(OddOne, IsFoundBesideLevels) {
  Draw draw(4);
  const auto members = group_of(200, draw, [](std::size_t i) {
    return (i % 2 == 0 ? 0.12 : 0.0) + (i == 6 ? kShift : 0.0) - (i == 7 ? kShift : 0.0);
  });

  const auto all = oddness_of(members, kFloor);

  EXPECT_LT(all[6].p, 1e-6);
  EXPECT_LT(all[7].p, 1e-6);
}

TEST(OddOne, AFewOnesWithTheSameShiftDoNotHideEachOther) {
  Draw draw(5);
  const auto members = group_of(200, draw, [](std::size_t i) { return i < 8 ? kShift : 0.0; });

  const auto all = oddness_of(members, kFloor);

  for (std::size_t i = 0; i < 8; ++i) EXPECT_LT(all[i].p, 1e-6) << i;
}

TEST(OddOne, ProcessesThatFlipMakeNoMemberOdd) {
  Draw draw(6);
  std::bernoulli_distribution flips(0.25);
  const auto flip = [&] { return flips(draw) ? 0.12 : 0.0; };
  for (int group = 0; group < 20; ++group) {
    const auto members = group_of(
        400, draw, [](std::size_t) { return 0.0; }, flip);

    EXPECT_GT(least_p(oddness_of(members, kFloor)), 1e-6) << group;
  }
}

TEST(OddOne, AMemberThatAlwaysFlipsIsOdd) {
  Draw draw(7);
  std::bernoulli_distribution flips(0.05);
  auto members = group_of(
      400, draw, [](std::size_t) { return 0.0; }, [&] { return flips(draw) ? 0.12 : 0.0; });
  std::vector<double> replicates;
  for (int r = 0; r < 12; ++r) replicates.push_back(0.12 + normal(draw, 0.003));
  members[9] = member_of(std::move(replicates));

  EXPECT_LT(oddness_of(members, kFloor)[9].p, 1e-6);
}

TEST(OddOne, SmallGroupsAndEqualMembersSayNothing) {
  const std::vector<Member> few(4, Member{0, 0, {}});
  EXPECT_EQ(oddness_of(few, kFloor)[0].p, 1);

  const std::vector<Member> equal(5, Member{1, 0, {}});
  for (const Oddness& odd : oddness_of(equal, kFloor)) {
    EXPECT_EQ(odd.shift, 0);
    EXPECT_EQ(odd.p, 1);
  }
}

}  // namespace
}  // namespace assay::stats
