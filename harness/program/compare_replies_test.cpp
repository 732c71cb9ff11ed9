// Tests that replies are compared by the schema's marks, here lists that not all subjects observe.
#include "harness/program/compare_replies.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"
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

std::optional<Difference> compared_freely(const Reply& got, const Reply& wanted) {
  Command command;
  command.verb = "dispatch.call";
  return ProgramComparison({.inside = true}).compare(command, got, wanted);
}

TEST(CompareReplies, WhatIsInsideARuntimeMayBeFree) {
  const Value own = entry({{"kernel", "aten::mm autograd"}});
  const Value mine = entry({{"kernel", "k1"}});

  EXPECT_TRUE(compared(ran({own, mine}), ran({mine})));
  EXPECT_FALSE(compared_freely(ran({own, mine}), ran({mine})));
  EXPECT_FALSE(compared_freely(ran({mine}), ran({own, mine})));
  EXPECT_TRUE(compared_freely(ran({mine}), ran({own, mine, mine})));
  EXPECT_TRUE(compared_freely(Reply::make_ok({{"result", 1}}), Reply::make_ok({{"result", 2}})));
  EXPECT_TRUE(compared_freely(Reply::make_ok(), Reply::make_error(ErrorKind::kError, "no")));
}

/// A program that names `out` and `other` inside a callback, so that they outlive it under names of
/// the subjects' own.
ProgramComparison after_a_callback() {
  Command callback;
  callback.verb = "callback";
  callback.as = "f";
  for (const char* name : {"out", "other"}) {
    Command inner;
    inner.verb = "core.detach";
    inner.as = name;
    callback.body.push_back(inner);
  }
  ProgramComparison comparison;
  comparison.compare(callback, Reply::make_ok(), Reply::make_ok());
  return comparison;
}

/// True if the two names may mean one object in the reply to a command whose result is named `as`.
bool is_same(ProgramComparison& comparison, const char* got, const char* wanted,
             const char* as = "") {
  const auto result = [](const char* name) { return Reply::make_ok({{"result", Ref{name}}}); };
  Command command;
  command.verb = "autograd.apply";
  command.as = as;
  return !comparison.compare(command, result(got), result(wanted));
}

TEST(CompareReplies, NumbersOfGeneratedNamesAreEachSubjectsOwn) {
  ProgramComparison names = after_a_callback();

  EXPECT_TRUE(is_same(names, "out~3", "out#19"));
  EXPECT_TRUE(is_same(names, "lent#7", "$0#1"));
  EXPECT_FALSE(is_same(names, "out~4", "other#20"));
  EXPECT_FALSE(is_same(names, "lent#8", "out#21"));
  EXPECT_FALSE(is_same(names, "out~5.scale", "out#22"));
}

TEST(CompareReplies, AGeneratedNameIsOfOneObjectThroughoutTheProgram) {
  ProgramComparison names = after_a_callback();
  ASSERT_TRUE(is_same(names, "out~3", "out#19"));

  EXPECT_FALSE(is_same(names, "out~3", "out#20"));
  EXPECT_FALSE(is_same(names, "out~4", "out#19"));
  EXPECT_TRUE(is_same(names, "out~3", "out#19"));
}

TEST(CompareReplies, AGeneratedNameMeansANamedObjectOnlyWhereThatGetsItsName) {
  ProgramComparison names = after_a_callback();

  EXPECT_FALSE(is_same(names, "out~3", "x"));
  EXPECT_TRUE(is_same(names, "out~3", "x", "x"));
  EXPECT_TRUE(is_same(names, "out~3", "x"));
  EXPECT_FALSE(is_same(names, "out~3", "y", "y"));
  EXPECT_TRUE(is_same(names, "z", "other#1", "z"));
  EXPECT_FALSE(is_same(names, "a", "b", "b"));
}

TEST(CompareReplies, ANameThatNoCallbackBindsMeansNothing) {
  ProgramComparison names = after_a_callback();
  ProgramComparison without;

  EXPECT_FALSE(is_same(names, "zzz~1", "x", "x"));
  EXPECT_FALSE(is_same(names, "zzz~1", "out#1"));
  EXPECT_FALSE(is_same(without, "out~1", "out#1"));
  EXPECT_FALSE(is_same(without, "lent#1", "x", "x"));
}

TEST(CompareReplies, NamesInListsAndDictsAreComparedToo) {
  const auto result = [](const char* name) {
    return Reply::make_ok(
        {{"result", List{{Ref{name}, Value(1)}}}, {"more", Dict{{{Value("a"), Ref{name}}}}}});
  };
  Command command;
  command.verb = "autograd.grad";
  ProgramComparison names = after_a_callback();

  EXPECT_FALSE(names.compare(command, result("lent#7"), result("$0#1")));
  EXPECT_TRUE(names.compare(command, result("lent#8"), result("out#1")));
}

TEST(CompareReplies, TheCodesOfTwoErrorsAreEqualIfBothHaveOne) {
  const auto with_code = [](std::optional<Value> code) {
    Reply reply = Reply::make_error(ErrorKind::kDevice, "m");
    reply.error.code = std::move(code);
    return reply;
  };
  const Command command = command_from_json(R"({"do":"runtime.set_device","with":{}})");
  for (const auto& [got, wanted] : {std::pair{with_code(700), with_code(700)},
                                    {with_code({}), with_code(700)},
                                    {with_code(700), with_code({})}}) {
    EXPECT_FALSE(compare_replies(command, got, wanted));
  }
  const auto difference = compare_replies(command, with_code("x"), with_code(700));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->where + difference->wanted + difference->got, "the error's code700\"x\"");
}

TEST(CompareReplies, TheCategoriesOfWarningsAreAList) {
  const auto warning_of = [](const std::vector<std::string>& categories) {
    Reply reply = Reply::make_ok();
    for (const std::string& category : categories) reply.warnings.push_back({category, "w"});
    return reply;
  };
  Command command;
  command.verb = "value";

  EXPECT_FALSE(compare_replies(command, warning_of({"A", "B"}), warning_of({"A", "B"})));
  EXPECT_TRUE(compare_replies(command, warning_of({"A B"}), warning_of({"A", "B"})));
  EXPECT_TRUE(compare_replies(command, warning_of({""}), warning_of({})));
}

TEST(CompareReplies, WhatIsNotShownIsNamed) {
  Command storage;
  storage.verb = "core.storage";
  Reply blind = Reply::make_ok({{"offset", 0}});
  blind.blind = {"result"};
  Reply whole = Reply::make_ok({{"offset", 0}, {"result", 1.0}});
  whole.counts = {{"launches", 1}, {"copies", 0}};
  ProgramComparison comparison;

  EXPECT_FALSE(comparison.compare(storage, blind, whole));
  EXPECT_EQ(comparison.unanswered(), (std::vector<std::string>{"core.storage.result", "counts"}));
  EXPECT_FALSE(comparison.compare(storage, whole, blind));
  EXPECT_TRUE(comparison.unanswered().empty());
}

TEST(CompareReplies, ACodeThatIsMissingIsNotShown) {
  Command launch;
  launch.verb = "runtime.kernel";
  const Reply without = Reply::make_error(ErrorKind::kDevice, "it failed");
  Reply with = without, other = without;
  with.error.code = Value(700);
  other.error.code = Value(701);
  ProgramComparison comparison;

  EXPECT_FALSE(comparison.compare(launch, without, with));
  EXPECT_EQ(comparison.unanswered(), std::vector<std::string>{"code"});
  EXPECT_FALSE(comparison.compare(launch, with, without));
  EXPECT_FALSE(comparison.compare(launch, with, with));
  EXPECT_TRUE(comparison.unanswered().empty());
  EXPECT_TRUE(comparison.compare(launch, other, with));
}

TEST(CompareReplies, AListThatIsSeenInPartIsNotShown) {
  const Value own = entry({{"kernel", "fallback of Functionalize"}});
  Reply blind = ran({entry({{"kernel", "k1"}})});
  blind.blind = {"own"};
  Command call;
  call.verb = "dispatch.call";
  ProgramComparison comparison;
  const auto missing = [&](const Reply& got, const Reply& wanted) {
    EXPECT_FALSE(comparison.compare(call, got, wanted));
    return comparison.unanswered().size();
  };

  EXPECT_EQ(missing(blind, ran({own, entry({{"kernel", "k1"}})})), 1U);
  EXPECT_EQ(missing(blind, ran({entry({{"kernel", "k1"}})})), 0U);
  EXPECT_EQ(missing(ran({entry({})}), ran({entry({{"kernel", "k1"}})})), 1U);
  EXPECT_EQ(missing(ran({entry({{"kernel", "k1"}})}), ran({entry({})})), 0U);
}

}  // namespace
}  // namespace assay
