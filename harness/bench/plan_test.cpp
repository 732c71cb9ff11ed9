// Tests of seeded orders, and of selection by name.
#include "harness/bench/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay::bench {
namespace {

bool is_permutation_of(std::vector<std::size_t> order, std::size_t count) {
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != i) return false;
  }
  return order.size() == count;
}

std::vector<std::string> names(const std::vector<std::string>& filters,
                               const std::vector<std::string>& excludes = {}) {
  std::vector<std::string> found;
  for (const measure::TimedCase& timed : select_cases(filters, excludes)) {
    found.push_back(report::full_name(timed.name, timed.axes));
  }
  return found;
}

TEST(RoundOrder, HoldsEveryCaseAndEveryContenderOnce) {
  const RoundOrder order = order_of(7, 3, 4, 9);

  EXPECT_TRUE(is_permutation_of(order.starts, 4));
  EXPECT_TRUE(is_permutation_of(order.cases, 9));
  ASSERT_EQ(order.turns.size(), 9U);
  for (const auto& turn : order.turns) EXPECT_TRUE(is_permutation_of(turn, 4));
}

TEST(RoundOrder, DiffersFromRoundToRoundAndFromSeedToSeed) {
  EXPECT_NE(order_of(1, 0, 2, 20).cases, order_of(1, 1, 2, 20).cases);
  EXPECT_NE(order_of(1, 0, 2, 20).cases, order_of(2, 0, 2, 20).cases);
  EXPECT_EQ(order_of(1, 5, 2, 20).turns, order_of(1, 5, 2, 20).turns);
}

TEST(RoundOrder, LetsEachContenderBeFirstAboutAsOften) {
  int first = 0;
  for (int round = 0; round < 50; ++round) {
    for (const auto& turn : order_of(1, round, 2, 20).turns) first += turn[0] == 0 ? 1 : 0;
  }

  EXPECT_GT(first, 400);
  EXPECT_LT(first, 600);
}

TEST(SelectCases, ByGlobByBeginningAndByAxis) {
  EXPECT_EQ(names({}).size(), measure::all_timed_cases().size());
  EXPECT_EQ(names({"dispatch/typed"}).size(), 3U);
  EXPECT_EQ(names({"dispatch/typed/tensors=2"}),
            std::vector<std::string>{"dispatch/typed/tensors=2"});
  EXPECT_EQ(names({"dispatch/*cache=*"}, {"*miss"}),
            std::vector<std::string>{"dispatch/autocast/cache=hit"});
  EXPECT_TRUE(names({"dispatch/type"}).empty());
}

TEST(SelectCases, AChosenAxisLeavesOutTheCasesThatCannotHaveIt) {
  const auto cases =
      select_cases({"dispatch"}, {}, {{"cache", {"miss"}}, {"tensors", {std::int64_t{99}}}});
  std::set<std::string> found;
  for (const measure::TimedCase& timed : cases)
    found.insert(report::full_name(timed.name, timed.axes));

  EXPECT_TRUE(found.contains("dispatch/autocast/cache=miss"));
  EXPECT_TRUE(found.contains("dispatch/redispatch/depth=3"));
  EXPECT_FALSE(found.contains("dispatch/autocast/cache=hit"));
  EXPECT_FALSE(found.contains("dispatch/typed/tensors=1"));
}

}  // namespace
}  // namespace assay::bench
