// Tests of outcomes, with scripted subjects that each misbehave in one way.
#include "harness/suite/runner/runner.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/protocol/testing.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

TEST(Runner, PassesACaseThatEnds) {
  Scripted link;

  const CaseResult result = run_once(link, send_one);

  EXPECT_EQ(result.outcome, Outcome::kPass);
  EXPECT_FALSE(result.spoils());
  EXPECT_TRUE(result.history.empty());
}

TEST(Runner, KeepsBothSidesAndTheConversationOfAFailure) {
  Scripted link;

  const CaseResult result = run_once(link, [](Session& session) {
    send_one(session);
    expect_bits(Value(1.0), Value(2.0));
  });

  EXPECT_EQ(result.outcome, Outcome::kFail);
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(holds(result.failure->expected, "2"));
  EXPECT_TRUE(holds(result.failure->got, "1"));
  EXPECT_TRUE(result.failure->where.starts_with("runner_test.cpp:")) << result.failure->where;
  EXPECT_EQ(result.history.size(), 1U);
}

TEST(Runner, CallsAnErrorThatNobodyExpectedAFailure) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_error(ErrorKind::kType, "bad type"); };

  const CaseResult result = run_once(link, [](Session& session) {
    const ScopedTrace row("row 3");
    const ScopedTrace step("step 2");
    send_one(session);
  });

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.failure->sentence, "row 3: step 2: expected no error, got type: bad type");
}

/// Expects an error and a warning with words of PyTorch.
void expect_words(Session& session) {
  expect_error([&] { send_one(session); }, ErrorKind::kType, {"already"});
  expect_warning({{"UserWarning", "beware"}, {"UserWarning", "again"}}, "UserWarning", {"careful"});
}

TEST(Runner, JudgesKindsAndNoWordsOfAForeignSubject) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_error(ErrorKind::kType, "twice"); };
  EXPECT_EQ(run_once(link, expect_words).outcome, Outcome::kFail);
  link.hello.ok.set("deviations", "foreign");
  EXPECT_EQ(run_once(link, expect_words).outcome, Outcome::kPass);

  link.answer = [](const Command&) { return Reply::make_error(ErrorKind::kValue, "twice"); };
  EXPECT_EQ(run_once(link, expect_words).outcome, Outcome::kFail);
  EXPECT_EQ(run_once(link, [](Session&) { expect_warning({}, "UserWarning", {}); }).outcome,
            Outcome::kFail);

  Scripted familiar;
  familiar.answer = [](const Command&) { return Reply::make_error(ErrorKind::kType, "twice"); };
  EXPECT_EQ(run_once(familiar, expect_words).outcome, Outcome::kFail);
}

CaseResult run_of(Scripted& link, const Case& test, SupportPolicy support) {
  RunnerOptions options;
  options.support = std::move(support);
  return Runner(link, options).run({&test, Contract{}});
}

TEST(Runner, DoesNotJudgeWordsOfAForeignSubject) {
  Scripted link;
  Case test = case_of([](Session&) { throw std::logic_error("it runs"); });
  test.reach = Reach::kWords;
  link.hello.ok.set("deviations", "foreign");

  const CaseResult result = run_of(link, test, SupportPolicy::foreign({"amp"}));

  EXPECT_EQ(result.outcome, Outcome::kUnsupported);
  EXPECT_TRUE(result.excused);
  EXPECT_FALSE(result.spoils());
  EXPECT_TRUE(result.excuse.starts_with(kNotJudged)) << result.excuse;
  test.reach = Reach::kWidth;
  EXPECT_EQ(run_of(link, test, SupportPolicy::foreign({})).outcome, Outcome::kInternal);
}

TEST(Runner, DoesNotJudgeWhatThePlatformCannotDo) {
  Scripted link;
  Case test = case_of([](Session&) { throw std::logic_error("it runs"); });
  test.unless = {Property::kBoolFlag, Property::kFlushesSubnormals};
  link.hello.ok.set("properties", List{{"double_scale", "flushes_subnormals"}});

  const CaseResult result = run_of(link, test, SupportPolicy::foreign({}));

  EXPECT_EQ(result.outcome, Outcome::kUnsupported);
  EXPECT_EQ(result.excuse, "not judged: the platform flushes subnormals");
  link.hello.ok.set("properties", List{{"double_scale"}});
  EXPECT_EQ(run_of(link, test, SupportPolicy::foreign({})).outcome, Outcome::kInternal);
}

TEST(Runner, CallsAReplyWithoutARequiredFieldAFailureEvenIfNobodyReadsTheField) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_ok(); };

  const CaseResult result = run_once(link, send_one);

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_TRUE(holds(result.failure->sentence, "value: the reply lacks 'result'"))
      << result.failure->sentence;
}

TEST(Runner, AcceptsAReplyWithoutAFieldToWhichTheSubjectIsBlind) {
  Scripted link;
  link.answer = [](const Command&) {
    Reply reply = Reply::make_ok();
    reply.blind = {"result"};
    return reply;
  };

  EXPECT_EQ(run_once(link, send_one).outcome, Outcome::kPass);
}

TEST(Runner, CallsABlockWithTooFewOrIncompleteRepliesAFailure) {
  const auto send_block = [](Session& session) { session.on("worker", session.block(send_one)); };
  Scripted link;

  for (const std::vector<Reply>& replies :
       {std::vector<Reply>{}, {Reply::make_ok()}, {Reply::make_unsupported("no")}}) {
    link.answer = [&](const Command&) {
      Reply reply = Reply::make_ok();
      reply.replies = replies;
      return reply;
    };
    EXPECT_EQ(run_once(link, send_block).outcome, Outcome::kFail);
  }
  link.answer = [](const Command&) {
    Reply reply = Reply::make_ok();
    reply.replies = {Reply::make_ok({{"result", 1}})};
    return reply;
  };
  EXPECT_EQ(run_once(link, send_block).outcome, Outcome::kPass);
}

TEST(Runner, CallsAnInvalidReplyAFailureOfTheAdapter) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_invalid("what?"); };

  const CaseResult result = run_once(link, send_one);

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.failure->sentence,
            "value was answered `invalid`: what? (the adapter could not read the command: no "
            "result of what it adapts)");
}

/// Remembers the time limits that it is given.
class Timed final : public Link, public TimeLimit {
 public:
  Reply exchange(const Command& command) override { return scripted_.exchange(command); }
  void restart() override {}
  void expect_by(std::optional<std::chrono::steady_clock::time_point> end) override {
    if (end) ends.push_back(*end);
  }
  void end_early_on(const StopSignal*) override {}

  std::vector<std::chrono::steady_clock::time_point> ends;

 private:
  Scripted scripted_;
};

TEST(Runner, GivesALongCaseMoreTimeWithEachAnswer) {
  Timed link;
  const Case test = case_of([](Session& session) {
    for (int i = 0; i < 300; ++i) send_one(session);
  });
  RunnerOptions options;
  options.timeout = std::chrono::seconds(5);
  std::vector<std::size_t> told;
  options.on_commands = [&](std::size_t commands) { told.push_back(commands); };

  const CaseResult result = Runner(link, options).run({&test, Contract{}});

  EXPECT_EQ(result.outcome, Outcome::kPass);
  ASSERT_EQ(link.ends.size(), 301U);
  EXPECT_EQ(link.ends[100], link.ends[0]);
  EXPECT_EQ(link.ends[300] - link.ends[0], std::chrono::seconds(10));
  EXPECT_EQ(told, (std::vector<std::size_t>{100, 200, 300}));
}

TEST(Runner, ShowsTheCommandThatASubjectDiedOf) {
  Scripted link;
  link.answer = [](const Command&) -> Reply {
    throw LinkBroken(LinkBroken::Cause::kDied, "signal 11", "last words");
  };

  const CaseResult result = run_once(link, send_one);

  EXPECT_EQ(result.outcome, Outcome::kCrash);
  EXPECT_EQ(result.failure->last_words, "last words");
  ASSERT_EQ(result.history.size(), 1U);
  EXPECT_EQ(result.history[0].command.verb, "value");
}

TEST(Runner, TellsASilentSubjectFromADeadOne) {
  Scripted link;
  link.answer = [](const Command&) -> Reply {
    throw LinkBroken(LinkBroken::Cause::kTimedOut, "no reply");
  };

  EXPECT_EQ(run_once(link, send_one).outcome, Outcome::kTimeout);
}

TEST(Runner, StartsABrokenSubjectAgainForTheNextCase) {
  Scripted link;
  bool dies = true;
  link.answer = [&](const Command&) -> Reply {
    if (dies) throw LinkBroken(LinkBroken::Cause::kDied, "gone");
    return Reply::make_ok({{"result", 1}});
  };
  const Case test = case_of(send_one);
  Runner runner(link, {});

  runner.run({&test, Contract{}});
  dies = false;
  const CaseResult second = runner.run({&test, Contract{}});

  EXPECT_EQ(second.outcome, Outcome::kPass);
  EXPECT_EQ(link.restarts, 1);
}

TEST(Runner, GivesUpOnASubjectThatDiesThriceBeforeItsFirstReply) {
  Scripted link;
  link.dies_at = "value";
  const Case test = case_of(send_one);
  Runner runner(link, {});

  EXPECT_EQ(runner.run({&test, Contract{}}).outcome, Outcome::kCrash);
  link.dies_at = "hello";

  EXPECT_THROW(runner.run({&test, Contract{}}), SubjectLost);
  EXPECT_EQ(link.restarts, 3);
}

TEST(Runner, BlamesTheCaseBeforeForDeathWhileCleaningUp) {
  Scripted link;
  link.dies_at = "reset";
  const Case test = case_of(send_one);
  Runner runner(link, {});

  const CaseResult first = runner.run({&test, Contract{}});
  link.dies_at = "";
  const CaseResult second = runner.run({&test, Contract{}});

  EXPECT_EQ(first.outcome, Outcome::kCrash);
  EXPECT_EQ(first.failure->sentence, "after the case: gone");
  EXPECT_EQ(first.history.size(), 1U);
  EXPECT_EQ(second.outcome, Outcome::kPass);
}

TEST(Runner, ResetsBetweenCasesAndSaysHelloOnce) {
  Scripted link;
  const Case test = case_of(send_one);
  Runner runner(link, {});

  runner.run({&test, Contract{}});
  runner.run({&test, Contract{}});

  const std::vector<std::string> wanted{"hello", "value", "reset", "value", "reset"};
  EXPECT_EQ(link.verbs, wanted);
}

TEST(Runner, FailsACaseAfterWhichResetDoesNotNameWhatIsLeft) {
  for (const Reply& reply : {Reply::make_ok(), Reply::make_ok({{"uncleaned", true}}),
                             Reply::make_ok({{"uncleaned", List{{1}}}})}) {
    Scripted link;
    link.reset = reply;

    const CaseResult result = run_once(link, send_one);

    EXPECT_EQ(result.outcome, Outcome::kFail);
    EXPECT_TRUE(holds(result.failure->sentence, "reset: expected 'uncleaned'"));
  }
}

TEST(Runner, RestartsForAFreshCaseOnlyWhenSomethingWasLeftBehind) {
  Scripted link;
  link.reset = Reply::make_ok({{"uncleaned", List{{"runtime"}}}});
  const Case plain = case_of(send_one);
  Case fresh = case_of(send_one);
  fresh.fresh = true;
  Runner runner(link, {});

  runner.run({&plain, Contract{}});
  runner.run({&plain, Contract{}});
  EXPECT_EQ(link.restarts, 0);
  runner.run({&fresh, Contract{}});

  EXPECT_EQ(link.restarts, 1);
}

TEST(Runner, FailsACaseThatReadsBeyondTheEndOfAReply) {
  Scripted link;

  const CaseResult result = run_once(link, [](Session&) { throw std::out_of_range("at 7"); });

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_TRUE(holds(result.failure->sentence, "a reply lacks what the case reads"));
}

TEST(Runner, CallsAnExceptionOfTheCaseAnErrorOfTheHarness) {
  Scripted link;

  const CaseResult result = run_once(link, [](Session&) { throw std::length_error("too long"); });

  EXPECT_EQ(result.outcome, Outcome::kInternal);
  EXPECT_EQ(result.failure->sentence, "too long");
}

}  // namespace
}  // namespace assay
