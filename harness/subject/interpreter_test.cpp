// Tests of blocks: the interpreter's work before and after the subject's.
#include "harness/subject/interpreter.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

using Status = Reply::Status;

class InterpreterTest : public ::testing::Test {
 protected:
  InterpreterTest() { run(command("hello")); }

  Reply run(const Command& wanted) { return interpreter_.execute(wanted); }
  std::string log() { return to_json(*run(command("toy.log")).ok.find("result")); }
  static std::string text(const Reply& reply) { return to_json(reply); }

  ToySubject subject_;
  Interpreter interpreter_{subject_};
};

Command guard(const std::string& name, const std::string& as = {}) {
  return command("toy.guard", {{"name", name}}, as);
}
Command box(const std::string& as, Value value) {
  return command("toy.box", {{"value", std::move(value)}}, as);
}
Command read(const std::string& name) { return command("toy.read", {{"box", Ref{name}}}); }
Command value(Value held) { return command("value", {{"value", std::move(held)}}); }
Command fail() { return command("toy.throw", {{"what", "error"}}); }

TEST_F(InterpreterTest, RepliesCarryTheIdOfTheirCommand) {
  Command wanted = value(7);
  wanted.id = 42;

  EXPECT_EQ(text(run(wanted)), R"({"id":42,"ok":{"result":7}})");
}

TEST_F(InterpreterTest, ExceptionsOfTheSubjectBecomeReplies) {
  const auto thrown = [&](const char* what) {
    return text(run(command("toy.throw", {{"what", what}})));
  };

  EXPECT_EQ(thrown("invalid"), R"({"invalid":"made no sense"})");
  EXPECT_EQ(thrown("unsupported"), R"({"unsupported":"not here"})");
  EXPECT_EQ(thrown("runtime_error"),
            R"({"error":{"kind":"internal","message":"defect: broken inside"}})");
  EXPECT_EQ(thrown("int"),
            R"({"error":{"kind":"internal","message":"defect: an exception of unknown type"}})");
}

TEST_F(InterpreterTest, CommandsThatMakeNoSenseAreInvalid) {
  Command with_body = value(1);
  with_body.body = {value(2)};
  Command scope_with_argument = scope_of({}, {value(1)});
  scope_with_argument.with = {{"x", 1}};
  Command named_scope = scope_of({}, {value(1)});
  named_scope.as = "s";

  for (const Command& wrong :
       {Command{}, with_body, scope_with_argument, named_scope, command("on"), command("together"),
        command("callback"), command("on", {{"thread", 7}}), together_of({{"main", {}}}, 0),
        together_of({{"main", {}}, {"main", {}}}, 1)}) {
    EXPECT_EQ(run(wrong).status, Status::kInvalid) << to_json(wrong);
  }
}

TEST_F(InterpreterTest, AnotherContractForgetsCallbacksAndTheSameOneKeepsThem) {
  const Command first = callback_of("first", {value(1)});
  run(first);
  const auto drop = [&](const char* name) {
    return run(command("drop", {{"object", Callable{name}}})).succeeded();
  };

  run(command("hello"));
  EXPECT_TRUE(drop("first"));

  run(first);
  run(command("hello", {{"release", "1.13"}}));
  EXPECT_FALSE(drop("first"));
}

TEST_F(InterpreterTest, HelloCannotStandInsideABlock) {
  const Reply reply = run(scope_of({}, {command("hello", {{"release", "1.13"}})}));

  EXPECT_EQ(reply.status, Status::kInvalid) << text(reply);
}

TEST_F(InterpreterTest, AScopeLeavesItsGuardsInReverseOrder) {
  const Reply reply = run(scope_of({guard("a"), guard("b")}, {value(1), value(2)}));

  EXPECT_EQ(text(reply),
            R"({"ok":{},"warnings":[["UserWarning","left b"],["UserWarning","left a"]],)"
            R"("replies":[{"ok":{"result":1}},{"ok":{"result":2}}]})");
  EXPECT_EQ(log(), R"(["enter a","enter b","leave b","leave a"])");
  EXPECT_EQ(subject_.boxes(), 0u) << "automatic names are dropped";
}

TEST_F(InterpreterTest, AScopeLeavesItsGuardsWhenTheBodyFails) {
  const Reply reply = run(scope_of({guard("a", "g")}, {value(1), fail(), value(2)}));

  EXPECT_EQ(reply.status, Status::kError);
  EXPECT_EQ(reply.error.message, "out of range");
  EXPECT_EQ(reply.replies.size(), 2u) << "the failing command is the last";
  EXPECT_EQ(log(), R"(["enter a","leave a"])");
  EXPECT_EQ(subject_.boxes(), 1u) << "a name of the client stays";
}

TEST_F(InterpreterTest, AScopeThatCannotEnterLeavesWhatItHasEntered) {
  const Reply reply = run(scope_of({guard("a"), fail()}, {value(1)}));

  EXPECT_EQ(reply.status, Status::kError);
  EXPECT_EQ(reply.replies.size(), 1u);
  EXPECT_EQ(log(), R"(["enter a","leave a"])");
}

TEST_F(InterpreterTest, AFailureToLeaveIsTheScopesOwn) {
  const Reply reply = run(scope_of({guard("a"), guard("sticky")}, {value(1)}));

  EXPECT_EQ(reply.error.message, "it sticks");
  EXPECT_EQ(reply.replies.size(), 2u);
  EXPECT_EQ(log(), R"(["enter a","enter sticky","leave a"])");
}

TEST_F(InterpreterTest, AGuardThatWasLeftOutOfOrderIsNotLeftAgain) {
  const Command leave = command("leave", {{"guard", Ref{"g"}}});

  run(scope_of({guard("a", "g"), guard("b")}, {leave}));

  EXPECT_EQ(log(), R"(["enter a","enter b","leave a","leave b"])");
}

TEST_F(InterpreterTest, CountsOfABlockAreTheSumOfItsParts) {
  Command scope = scope_of({}, {command("toy.commands"), command("toy.commands")});
  scope.count = true;

  EXPECT_EQ(*run(scope).counts.find("commands")->get_if<std::int64_t>(), 2);
}

TEST_F(InterpreterTest, BlocksMayNestButNotForEver) {
  Command nested = value(1);
  for (int i = 0; i < 90; ++i) nested = scope_of({}, {nested});
  EXPECT_EQ(run(nested).status, Status::kOk);

  for (int i = 0; i < 90; ++i) nested = scope_of({}, {nested});
  EXPECT_EQ(run(nested).status, Status::kInvalid);
}

TEST_F(InterpreterTest, ResetCannotStandInsideABlock) {
  EXPECT_EQ(run(scope_of({}, {command("reset")})).status, Status::kInvalid);
  EXPECT_EQ(run(command("reset")).status, Status::kOk);
}

TEST_F(InterpreterTest, ACallbackSeesItsArgumentsAnywhereInsideValues) {
  run(callback_of("f", {value(List{{Ref{"$0"}, Tuple{{Ref{"$1"}, 3}}, Ref{"$closure"}}})}));
  Command call = command(
      "toy.call",
      {{"callable", Callable{"f"}}, {"args", List{{1, "two"}}}, {"closure", Callable{"g"}}});

  const Reply reply = run(call);

  EXPECT_EQ(to_json(*reply.ok.find("result")), R"([1,{"tuple":["two",3]},{"callable":"g"}])");
}

TEST_F(InterpreterTest, ACallbackMayCallItsArgument) {
  run(callback_of("seven", {value(7)}));
  run(callback_of("f", {command("toy.call", {{"callable", Callable{"$0"}}})}));

  const Reply reply =
      run(command("toy.call", {{"callable", Callable{"f"}}, {"args", List{{Callable{"seven"}}}}}));

  EXPECT_EQ(to_json(*reply.ok.find("result")), "7");
}

TEST_F(InterpreterTest, NamesBoundInACallbackLiveUntilTheCommandThatCalledItEnds) {
  run(callback_of("f", {box("x", Ref{"$0"}), read("x"), command("toy.boxes")}));
  const Command call = command("toy.call", {{"callable", Callable{"f"}}, {"args", List{{5}}}});

  const Reply twice = run(scope_of({}, {call, call}));

  EXPECT_EQ(to_json(*twice.replies[0].ok.find("result")), "1");
  EXPECT_EQ(to_json(*twice.replies[1].ok.find("result")), "2") << "two runs, two boxes";
  EXPECT_EQ(subject_.boxes(), 0u);
}

TEST_F(InterpreterTest, NamesBelowALocalNameFollowIt) {
  run(callback_of("f", {command("toy.pair", {}, "p"), read("p.right")}));

  const Reply reply = run(command("toy.call", {{"callable", Callable{"f"}}}));

  EXPECT_EQ(to_json(*reply.ok.find("result")), R"("right")");
  EXPECT_EQ(subject_.boxes(), 0u);
}

TEST_F(InterpreterTest, ACallbackInsideACallbackIsLocalAndHasItsOwnArguments) {
  run(callback_of("outer",
                  {box("x", Ref{"$0"}), callback_of("inner", {value(List{{Ref{"$0"}, Ref{"x"}}})}),
                   command("toy.call", {{"callable", Callable{"inner"}}, {"args", List{{2}}}})}));
  const Command call = command("toy.call", {{"callable", Callable{"outer"}}, {"args", List{{1}}}});

  const Reply reply = run(call);

  ASSERT_EQ(reply.status, Status::kOk) << text(reply);
  EXPECT_EQ(to_json(*reply.ok.find("result")).substr(0, 13), R"([2,{"ref":"x~)");
  EXPECT_EQ(run(call).status, Status::kOk) << "the name 'inner' is free again";
}

TEST_F(InterpreterTest, AFailureInsideACallbackComesBack) {
  run(callback_of("f", {value(1), fail(), value(2)}));

  const Reply reply = run(command("toy.call", {{"callable", Callable{"f"}}}));

  EXPECT_EQ(reply.error.message, "out of range");
  EXPECT_EQ(reply.replies.size(), 2u);
}

TEST_F(InterpreterTest, WarningsOfACallbackAreGathered) {
  run(callback_of("f", {command("toy.warn", {{"text", "one"}}),
                        scope_of({}, {command("toy.warn", {{"text", "two"}})})}));

  const Reply reply = run(command("toy.call", {{"callable", Callable{"f"}}}));

  const std::vector<Warning> wanted{{"UserWarning", "one"}, {"UserWarning", "two"}};
  EXPECT_EQ(reply.warnings, wanted);
}

TEST_F(InterpreterTest, CallbacksGoWithDropAndWithReset) {
  const Command call = command("toy.call", {{"callable", Callable{"f"}}});

  run(callback_of("f", {value(1)}));
  EXPECT_EQ(run(callback_of("f", {value(1)})).status, Status::kInvalid) << "the name is taken";
  EXPECT_EQ(run(command("drop", {{"object", Ref{"f"}}})).status, Status::kOk);
  EXPECT_EQ(run(call).status, Status::kInvalid);
  run(callback_of("f", {value(1)}));
  EXPECT_EQ(run(call).status, Status::kOk);
  run(command("reset"));
  EXPECT_EQ(run(call).status, Status::kInvalid);
}

TEST_F(InterpreterTest, ACallbackThatCallsItselfForEverIsStopped) {
  run(callback_of("f", {command("toy.call", {{"callable", Callable{"f"}}})}));

  EXPECT_EQ(run(command("toy.call", {{"callable", Callable{"f"}}})).status, Status::kInvalid);
}

TEST_F(InterpreterTest, ACallbackMayComeFromAThreadOfTheSubject) {
  run(callback_of("f", {box("x", 1), read("x"), scope_of({guard("a")}, {value(9)}), read("x")}));

  const Reply reply = run(command("toy.call", {{"callable", Callable{"f"}}, {"elsewhere", true}}));

  EXPECT_EQ(to_json(*reply.ok.find("result")), "1") << text(reply);
  EXPECT_EQ(subject_.boxes(), 0u);
}

}  // namespace
}  // namespace assay
