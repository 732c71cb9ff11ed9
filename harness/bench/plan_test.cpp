// Tests of axis choices on the command line, of selection by name, and of seeded orders.
#include "harness/bench/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay::bench {
namespace {

using measure::Axis;
using measure::AxisValue;

std::vector<AxisValue> values_of(const char* text) { return parse_axis_choice(text).values; }

std::vector<AxisValue> numbers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

std::string refusal(const char* text) {
  try {
    refuse_unknown_axes({parse_axis_choice(text)});
  } catch (const WrongAxis& wrong) {
    return wrong.what();
  }
  return "taken";
}

TEST(AxisChoice, ListsRangesAndPowersOfTwo) {
  EXPECT_EQ(parse_axis_choice("N=3").name, "N");
  EXPECT_EQ(parse_axis_choice("N[pow2]=3").name, "N");
  EXPECT_EQ(values_of("N=3"), numbers({3}));
  EXPECT_EQ(values_of("N=[3,5]"), numbers({3, 5}));
  EXPECT_EQ(values_of("N=[3:5]"), numbers({3, 4, 5}));
  EXPECT_EQ(values_of("N=[3:8:2]"), numbers({3, 5, 7}));
  EXPECT_EQ(values_of("N[pow2]=[0:40:40]"), numbers({1, std::int64_t{1} << 40}));
  EXPECT_EQ(values_of("N[pow2]=[10,12]"), numbers({1024, 4096}));
  EXPECT_EQ(values_of("dtype=[f16,bf16]"), (std::vector<AxisValue>{"f16", "bf16"}));
  EXPECT_EQ(values_of("cache=hit"), std::vector<AxisValue>{"hit"});
}

TEST(AxisChoice, WhatCannotBeReadIsRefusedWithTheReason) {
  EXPECT_EQ(refusal("tensors"), "'tensors' is not NAME=[VALUE,...]");
  EXPECT_EQ(refusal("=3"), "'=3' is not NAME=[VALUE,...]");
  EXPECT_EQ(refusal("tensors=[1,]"), "'tensors=[1,]': a value is missing");
  EXPECT_EQ(refusal("tensors=[]"), "'tensors=[]': a value is missing");
  EXPECT_EQ(refusal("tensors[pow2]=[a]"), "'tensors[pow2]=[a]': 'a' is not a whole number");
  EXPECT_EQ(refusal("tensors[pow2]=[41]"), "'tensors[pow2]=[41]': an exponent must be 0 to 40");
  EXPECT_EQ(refusal("tensors=[4:1]"),
            "'tensors=[4:1]': a range must ascend, by steps of at least 1");
  EXPECT_EQ(refusal("tensors=[1:4:0]"),
            "'tensors=[1:4:0]': a range must ascend, by steps of at least 1");
  EXPECT_EQ(refusal("tensors=[1:2:3:4]"),
            "'tensors=[1:2:3:4]': a range must be FIRST:LAST or FIRST:LAST:STEP");
  EXPECT_EQ(refusal("tensors=[1:100000]"), "'tensors=[1:100000]': more than 1000 values");
  EXPECT_EQ(refusal("tensors=[-9223372036854775808:9223372036854775807]"),
            "'tensors=[-9223372036854775808:9223372036854775807]': more than 1000 values");
}

TEST(AxisChoice, AnAxisOrAValueThatNoCaseHasIsRefused) {
  EXPECT_EQ(refusal("tensors=[1,2"), "'tensors=[1,2': the list must end with ]");
  EXPECT_TRUE(refusal("size=[1]").starts_with("no case has an axis 'size'; the axes are "));
  EXPECT_EQ(refusal("cache=warm"),
            "no case has cache=warm; the values are cache=[hit,miss,crossed]");
  EXPECT_EQ(refusal("dtype=F16"),
            "no case has dtype=F16; did you mean f16?; the values are dtype=[f32,f16,bf16]");
  EXPECT_TRUE(
      refusal("L2=hot").starts_with("no case has an axis 'L2'; did you mean l2?; the axes"));
  EXPECT_TRUE(refusal("n=8").starts_with("no case has an axis 'n'; did you mean N?; the axes"));
  EXPECT_EQ(refusal("N=0"),
            "no case has N=0; the values are N=[16,1024,262144,4194304,67108864,4096,...]");
  EXPECT_EQ(refusal("cache=[hit,miss]"), "taken");
  EXPECT_THROW(refuse_unknown_axes({{"cache", {"hit"}}, {"cache", {"miss"}}}), WrongAxis);
}

TEST(AxisChoice, ReplacesTheValuesThatAnAxisCanHave) {
  const std::vector<Axis> axes{{"dtype", {"f32", "f16"}}, {"N", numbers({8}), true}};

  const auto both = chosen(axes, {{"N", numbers({0, 2, 3, 2})}, {"dtype", {"f16", "f64"}}});

  ASSERT_TRUE(both.has_value());
  EXPECT_EQ((*both)[0].values, std::vector<AxisValue>{"f16"});
  EXPECT_EQ((*both)[1].values, numbers({2, 3}));
  EXPECT_FALSE(chosen(axes, {{"dtype", {"f64"}}}).has_value());
  EXPECT_EQ((*chosen(axes, {{"cache", {"hit"}}}))[0].values, axes[0].values);
}

TEST(AxisChoice, CombinationsRunThroughTheLastAxisFirst) {
  const auto all = measure::combinations({{"a", numbers({1, 2})}, {"b", {"x", "y"}}});

  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], (measure::Axes{{"a", std::int64_t{1}}, {"b", "y"}}));
  EXPECT_EQ(all[2], (measure::Axes{{"a", std::int64_t{2}}, {"b", "x"}}));
  EXPECT_EQ(measure::combinations({}).size(), 1U);
}

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
