// Tests of what is unanswered, and of what excuses it.
#include <gtest/gtest.h>

#include "harness/suite/runner/runner.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

Reply no_such_thing(const Command&) { return Reply::make_unsupported("no such thing"); }

void count_one(Session& session) {
  session.count();
  send_one(session);
  session.counted("launches");
}

TEST(Runner, FindsUnansweredWhatAForeignSubjectHasNotExcused) {
  Scripted link;
  link.answer = no_such_thing;

  const CaseResult result = run_once(link, send_one, SupportPolicy::foreign({}));

  EXPECT_EQ(result.outcome, Outcome::kUnsupported);
  EXPECT_EQ(result.lacks, "value");
  EXPECT_TRUE(result.is_unanswered());
  EXPECT_FALSE(result.spoils());
}

TEST(Runner, ExcusesWhatHelloAndAListName) {
  Scripted link;
  link.answer = no_such_thing;
  const SupportPolicy listed =
      SupportPolicy::foreign({}, {{.cases = "amp/*", .reason = "a reason"}});
  EXPECT_EQ(run_once(link, send_one, listed).excuse, "a reason");

  link.hello.ok.set("without", List{{"value"}});
  const CaseResult named = run_once(link, send_one, SupportPolicy::foreign({}));

  EXPECT_TRUE(named.excused);
  EXPECT_EQ(named.excuse, "hello: without value");
}

TEST(Runner, ExcusesNothingInARequiredArea) {
  Scripted link;
  link.answer = no_such_thing;
  link.hello.ok.set("without", List{{"value"}});
  const std::vector<SupportEntry> listed{{.cases = "amp/*", .reason = "a reason"}};

  EXPECT_TRUE(run_once(link, send_one, SupportPolicy::foreign({"amp"}, listed)).spoils());
  EXPECT_TRUE(run_once(link, send_one, SupportPolicy::built_in({"amp"}, listed)).spoils());
  EXPECT_FALSE(run_once(link, send_one, SupportPolicy::built_in({"core"}, listed)).spoils());
}

TEST(Runner, CallsCountsByAWordOfTheirOwn) {
  Scripted link;
  EXPECT_TRUE(run_once(link, count_one).is_unanswered());

  link.hello.ok.set("without", List{{"counts"}});

  EXPECT_EQ(run_once(link, count_one).excuse, "hello: without counts");
}

TEST(Runner, ExcusesWhatNeedsMoreDevicesThanHelloLists) {
  Scripted link;

  EXPECT_TRUE(run_once(link, [](Session& session) { session.device(1); }).excused);
  link.hello.ok.set("devices", List{});
  EXPECT_TRUE(run_once(link, [](Session& session) { session.device(0); }).is_unanswered());
}

TEST(Runner, ExcusesOfABuiltInSubjectOnlyWhatIsListed) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_unsupported("no such thing"); };

  const CaseResult listed = run_once(
      link, send_one, SupportPolicy::built_in({}, {{.cases = "amp/*", .reason = "a reason"}}));
  const CaseResult unlisted = run_once(link, send_one, SupportPolicy::built_in({}, {}));

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

}  // namespace
}  // namespace assay
