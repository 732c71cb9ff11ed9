// What becomes of a case, whatever the subject does: scripted subjects, one trouble each.
#include "harness/suite/runner.hpp"

#include <gtest/gtest.h>

#include "harness/suite/card.hpp"
#include "harness/suite/hello.hpp"
#include "harness/suite/verdict.hpp"

namespace assay {
namespace {

/// Answers hello and reset like a subject should, and everything else through `answer`.
class Scripted final : public Link {
 public:
  std::function<Reply(const Command&)> answer = [](const Command&) { return Reply::make_ok(); };
  Reply hello = Reply::make_ok({{"protocol", kProtocolVersion},
                                {"name", "scripted"},
                                {"version", "1"},
                                {"devices", List{{Device{"cuda", 0}}}},
                                {"areas", List{{"amp"}}},
                                {"threads", false}});
  List uncleaned;
  std::string dies_at;
  int restarts = 0;
  std::vector<std::string> verbs;

  Reply exchange(const Command& command) override {
    verbs.push_back(command.verb);
    if (command.verb == dies_at) throw LinkBroken(LinkBroken::Cause::kDied, "gone");
    if (command.verb == "hello") return hello;
    if (command.verb == "reset") return Reply::make_ok({{"uncleaned", uncleaned}});
    return answer(command);
  }
  void restart() override { ++restarts; }
};

Case case_of(std::function<void(Session&)> body) {
  Case test;
  test.id = "amp/one";
  test.clauses = {"AMP-201"};
  test.body = std::move(body);
  return test;
}

void send_one(Session& session) { session.send("value", {{"value", 1}}); }

CaseResult run_once(Scripted& link, std::function<void(Session&)> body, SupportPolicy support) {
  static Case test;  // results point at their case
  test = case_of(std::move(body));
  RunnerOptions options;
  options.support = std::move(support);
  return Runner(link, options).run({&test, Contract{}});
}

CaseResult run_once(Scripted& link, std::function<void(Session&)> body) {
  return run_once(link, std::move(body), SupportPolicy::foreign({}));
}

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
  EXPECT_NE(result.failure->expected.find("2"), std::string::npos);
  EXPECT_NE(result.failure->got.find("1"), std::string::npos);
  EXPECT_TRUE(result.failure->where.starts_with("runner_test.cpp:")) << result.failure->where;
  EXPECT_EQ(result.history.size(), 1U);
}

TEST(Runner, CallsAnErrorThatNobodyExpectedAFailure) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_error(ErrorKind::kType, "bad type"); };

  const CaseResult result = run_once(link, [](Session& session) {
    const At row("row 3");
    const At step("step 2");
    send_one(session);
  });

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.failure->sentence, "row 3: step 2: expected no error, got type: bad type");
}

TEST(Runner, CallsAnInvalidReplyAFailure) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_invalid("what?"); };

  EXPECT_EQ(run_once(link, send_one).outcome, Outcome::kFail);
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
    return Reply::make_ok();
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

TEST(Runner, RestartsForAFreshCaseOnlyWhenSomethingWasLeftBehind) {
  Scripted link;
  link.uncleaned = List{{"runtime"}};
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

TEST(Runner, ExcusesWhatAForeignSubjectDoesNotSupportUnlessItIsRequired) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_unsupported("no such thing"); };

  const CaseResult excused = run_once(link, send_one, SupportPolicy::foreign({}));
  const CaseResult required = run_once(link, send_one, SupportPolicy::foreign({"amp"}));

  EXPECT_EQ(excused.outcome, Outcome::kUnsupported);
  EXPECT_FALSE(excused.spoils());
  EXPECT_TRUE(required.spoils());
}

TEST(Runner, ExcusesOfABuiltInSubjectOnlyWhatIsListed) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_unsupported("no such thing"); };

  const CaseResult listed =
      run_once(link, send_one, SupportPolicy::built_in({{"amp/*", "a reason"}}));
  const CaseResult unlisted = run_once(link, send_one, SupportPolicy::built_in({}));

  EXPECT_EQ(listed.excuse, "a reason");
  EXPECT_FALSE(listed.spoils());
  EXPECT_TRUE(unlisted.spoils());
}

TEST(Runner, DoesNotAskForAnAreaThatIsNotOffered) {
  Scripted link;
  link.hello.ok.set("areas", List{{"core"}});

  const CaseResult result = run_once(link, send_one);

  EXPECT_EQ(result.outcome, Outcome::kUnsupported);
  EXPECT_EQ(link.verbs, std::vector<std::string>{"hello"});
}

TEST(Runner, CallsAnExceptionOfTheCaseAnErrorOfTheHarness) {
  Scripted link;

  const CaseResult result = run_once(link, [](Session&) { throw std::out_of_range("at 7"); });

  EXPECT_EQ(result.outcome, Outcome::kInternal);
  EXPECT_EQ(result.failure->sentence, "at 7");
}

TEST(Hello, TakesFromTheWishWhatTheSubjectLeavesOut) {
  Scripted link;
  link.hello.ok.set("release", "2.4");

  const SubjectInfo info =
      say_hello(link, {Release::k1_13, DeviceRules::kCpu, Deviations::kCompat});

  EXPECT_EQ(to_text(info.contract), "2.4/cpu/compat");
  EXPECT_EQ(info.devices.size(), 1U);
}

TEST(Hello, RefusesAnotherProtocolAndAnswersThatAreNone) {
  Scripted link;
  link.hello.ok.set("protocol", 2);
  EXPECT_THROW(say_hello(link, {}), BadReply);
  link.hello.ok.set("protocol", 1);
  link.hello.ok.set("areas", "amp");
  EXPECT_THROW(say_hello(link, {}), BadReply);
  link.hello = Reply::make_error(ErrorKind::kError, "no");
  EXPECT_THROW(say_hello(link, {}), BadReply);
}

TEST(Hello, FindsTheOneContractOfASubjectThatStatesIts) {
  Scripted link;
  link.hello.ok.set("release", "2.4");
  link.hello.ok.set("device_rules", "cpu");
  link.hello.ok.set("deviations", "compat");

  const auto offered = offered_contracts(link, wanted_contracts({}));

  ASSERT_EQ(offered.size(), 1U);
  EXPECT_EQ(to_text(offered[0]), "2.4/cpu/compat");
}

TEST(Card, HoldsAllThatIsNeededIn100Columns) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_ok({{"result", std::string(500, 'x')}}); };
  const CaseResult result = run_once(link, [](Session& session) {
    for (int i = 0; i < 9; ++i) session.send("value", {{"value", i}});
    const At row("row 3");
    expect_bits(Value(f32({1.0})), Value(f32({1.5})));
  });

  const std::string text = card(result, {.subject = "scripted one"});

  for (const char* part :
       {"FAIL  amp/one", "2.11/cuda/strict", "AMP-201", "row 3", "ULP", "3fc00000", "3f800000",
        "(1.5)", "\"do\":\"value\"", "the last 4 of 9 commands",
        "assay replay amp/one --subject \"scripted one\" --release 2.11"}) {
    EXPECT_NE(text.find(part), std::string::npos) << "lacks " << part << " in\n" << text;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    EXPECT_TRUE(line.size() <= 104U || line.starts_with("  replay")) << line;
    at = end + 1;
  }
}

TEST(Card, QuotesTheSubjectSoThatTheLineCanBeCopied) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  EXPECT_NE(replay_line(result, "sh -c \"it\"").find("--subject 'sh -c \"it\"' "),
            std::string::npos);
}

TEST(Card, IsColouredOnlyOnRequest) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  EXPECT_NE(card(result, {.subject = "s", .colours = true}).find("\x1b[1;31mFAIL"),
            std::string::npos);
}

Tally tally_of(std::initializer_list<Outcome> outcomes) {
  static const Case test = case_of(send_one);
  Tally tally;
  for (const Outcome outcome : outcomes) {
    CaseResult result;
    result.test = &test;
    result.outcome = outcome;
    tally.add(result);
  }
  tally.planned = outcomes.size();
  return tally;
}

TEST(Verdict, IsNegativeForEveryOutcomeThatIsNoPass) {
  EXPECT_EQ(tally_of({Outcome::kPass}).exit_code(), kExitOk);
  EXPECT_EQ(tally_of({Outcome::kPass, Outcome::kWaived}).exit_code(), kExitOk);
  for (const Outcome bad : {Outcome::kFail, Outcome::kCrash, Outcome::kTimeout, Outcome::kFlaky,
                            Outcome::kUnsupported}) {
    EXPECT_EQ(tally_of({Outcome::kPass, bad}).exit_code(), kExitFailure) << name_of(bad);
  }
  EXPECT_EQ(tally_of({Outcome::kFail, Outcome::kInternal}).exit_code(), kExitInternal);
}

TEST(Verdict, IsThatNothingRanWhenNothingGaveAnAnswer) {
  Tally all_excused = tally_of({Outcome::kUnsupported});
  all_excused.unexcused = 0;

  EXPECT_EQ(tally_of({}).exit_code(), kExitNothingRan);
  EXPECT_EQ(all_excused.exit_code(), kExitNothingRan);
}

TEST(Verdict, IsOneLineThatCountsEverything) {
  Tally tally = tally_of({Outcome::kPass, Outcome::kPass, Outcome::kFail, Outcome::kUnsupported});
  tally.not_applicable = 4;
  tally.duration = std::chrono::milliseconds(1240);

  const std::string line = verdict_line("mine", tally, {3, 5, true});

  EXPECT_EQ(line,
            "FAIL 2 of 4 cases on mine, 1 fail, 1 unsupported, 4 not applicable; 3 of 5 clauses "
            "witnessed (2 holes); 1.2 s");
}

}  // namespace
}  // namespace assay
