// Tests that replies are compared by the schema's marks, here lists that not all subjects observe.
#include "harness/program/compare_replies.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

Reply ran(std::vector<Value> items) {
  return Reply::make_ok({{"result", 1}, {"ran", List{std::move(items)}}});
}

Dict entry(std::vector<std::pair<Value, Value>> items) { return {std::move(items)}; }

std::optional<Difference> compared(const Reply& got, const Reply& wanted) {
  Command command;
  command.verb = "dispatch.call";
  return compare_replies(command, got, wanted);
}

TEST(CompareReplies, WhatOneSideCannotSeeOfAnItemDoesNotCount) {
  const Reply all = ran({entry({{"kernel", "k1"}, {"key", "CPU"}, {"boxed", true}})});
  const Reply some = ran({entry({{"boxed", true}, {"kernel", "k1"}})});

  EXPECT_FALSE(compared(all, some));
  EXPECT_FALSE(compared(some, all));
}

TEST(CompareReplies, WhatBothSeeOfAnItemMustAgree) {
  const auto difference = compared(ran({entry({{"kernel", "k1"}, {"key", "CPU"}})}),
                                   ran({entry({{"kernel", "k2"}, {"key", "CPU"}})}));

  ASSERT_TRUE(difference);
  EXPECT_TRUE(holds(difference->where, "item 0")) << difference->where;
}

TEST(CompareReplies, ItemsThatOneSideLacksCount) {
  EXPECT_TRUE(compared(ran({entry({{"kernel", "k1"}})}), ran({})));
  EXPECT_TRUE(compared(ran({}), ran({entry({{"kernel", "k1"}})})));
  EXPECT_FALSE(compared(ran({}), ran({})));
}

TEST(CompareReplies, OwnKernelsThatOneSideCannotSeeDoNotCount) {
  const Value own = entry({{"kernel", "fallback of Functionalize"}});
  const Value mine = entry({{"kernel", "k1"}});
  Reply blind = ran({mine});
  blind.blind = {"own"};

  EXPECT_FALSE(compared(blind, ran({own, mine})));
  EXPECT_FALSE(compared(ran({own, mine}), blind));
  EXPECT_TRUE(compared(blind, ran({mine, mine})));
  EXPECT_TRUE(compared(ran({mine}), ran({own, mine})));
}

TEST(CompareReplies, NumbersOfLocalNamesAreEachSubjectsOwn) {
  const auto result = [](const char* name) { return Reply::make_ok({{"result", Ref{name}}}); };
  Command command;
  command.verb = "autograd.apply";

  EXPECT_FALSE(compare_replies(command, result("out~3"), result("out#19")));
  EXPECT_TRUE(compare_replies(command, result("out~3"), result("other#19")));
  EXPECT_FALSE(compare_replies(command, result("out"), result("out#1")));
  EXPECT_FALSE(compare_replies(command, result("lent#7"), result("$0#1")));
  EXPECT_TRUE(compare_replies(command, result("lent#7"), result("out#1")));
}

TEST(CompareReplies, NamesInListsAreComparedToo) {
  const auto result = [](const char* name) {
    return Reply::make_ok({{"result", List{{Ref{name}, Value(1)}}}});
  };
  Command command;
  command.verb = "autograd.grad";

  EXPECT_FALSE(compare_replies(command, result("lent#7"), result("$0#1")));
  EXPECT_TRUE(compare_replies(command, result("lent#7"), result("out#1")));
}

}  // namespace
}  // namespace assay
