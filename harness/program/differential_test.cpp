// Tests of comparing two subjects on a program: differences and unsupported commands.
#include "harness/program/differential.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace assay {
namespace {

/// Answers every command with one function, and counts its restarts.
class ScriptedLink final : public Link {
 public:
  using Answer = std::function<Reply(const Command&)>;
  explicit ScriptedLink(Answer answer) : answer_(std::move(answer)) {}

  Reply exchange(const Command& command) override {
    if (command.verb == "hello") return Reply::make_ok();
    if (command.verb == "reset") return Reply::make_ok({{"uncleaned", uncleaned}});
    return answer_(command);
  }
  void restart() override { ++restarts; }

  List uncleaned;
  int restarts = 0;

 private:
  Answer answer_;
};

Reply seven(const Command&) { return Reply::make_ok({{"result", 7}}); }

Block program_of(std::initializer_list<const char*> verbs) {
  Block program;
  for (const char* verb : verbs) {
    program.emplace_back();
    program.back().verb = verb;
  }
  return program;
}

TEST(Differential, AgreesOnEqualAnswers) {
  ScriptedLink subject(seven), trusted(seven);

  const ProgramResult result =
      Differential(subject, trusted, {}).run(program_of({"value", "value"}));

  EXPECT_EQ(result.end, ProgramResult::End::kAgreed);
  EXPECT_EQ(result.exchanges.size(), 2u);
}

TEST(Differential, StopsAtTheFirstOtherAnswer) {
  ScriptedLink trusted(seven);
  ScriptedLink subject([](const Command& command) {
    return command.verb == "same" ? Reply::make_ok({{"result", 8}}) : seven(command);
  });

  const ProgramResult result =
      Differential(subject, trusted, {}).run(program_of({"value", "same", "value"}));

  EXPECT_EQ(result.end, ProgramResult::End::kDiffers);
  EXPECT_EQ(result.exchanges.size(), 2u);
  EXPECT_EQ(result.verb, "same");
  EXPECT_EQ(result.difference->where, "result");
}

/// Whether findings count as the same.
std::string signature_of(const Reply& wanted, const Reply& got) {
  ScriptedLink trusted([&](const Command&) { return wanted; });
  ScriptedLink subject([&](const Command&) { return got; });
  return Differential(subject, trusted, {}).run(program_of({"value"})).signature();
}

TEST(Differential, TellsKindsOfFindingsApart) {
  const Reply error = Reply::make_error(ErrorKind::kError, "no");
  const Reply value = Reply::make_error(ErrorKind::kValue, "never 1");

  EXPECT_EQ(signature_of(value, seven({})),
            signature_of(Reply::make_error(ErrorKind::kValue, "2"), seven({})));
  EXPECT_NE(signature_of(value, seven({})), signature_of(error, seven({})));
  EXPECT_NE(signature_of(value, seven({})),
            signature_of(Reply::make_ok({{"result", 8}}), seven({})));
}

TEST(Differential, NamesTheCommandInsideABlock) {
  Command scope;
  scope.verb = "scope";
  scope.body = program_of({"value", "alias"});
  const auto with_replies = [](int second) {
    return [second](const Command&) {
      Reply reply = Reply::make_ok();
      reply.replies = {Reply::make_ok({{"result", 1}}), Reply::make_ok({{"result", second}})};
      return reply;
    };
  };
  ScriptedLink subject(with_replies(1)), trusted(with_replies(2));

  EXPECT_EQ(Differential(subject, trusted, {}).run({scope}).verb, "alias");
}

TEST(Differential, SaysNothingBeyondWhatOneOfThemLacks) {
  ScriptedLink trusted(seven);
  ScriptedLink subject([](const Command&) { return Reply::make_unsupported("not here"); });

  const ProgramResult result =
      Differential(subject, trusted, {}).run(program_of({"alias", "same"}));

  EXPECT_EQ(result.end, ProgramResult::End::kUnsupported);
  EXPECT_EQ(result.verb, "alias");
}

TEST(Differential, StartsABrokenSubjectAgain) {
  ScriptedLink trusted(seven);
  ScriptedLink subject(
      [](const Command&) -> Reply { throw LinkBroken(LinkBroken::Cause::kDied, "it died"); });

  const ProgramResult result = Differential(subject, trusted, {}).run(program_of({"value"}));

  EXPECT_EQ(result.end, ProgramResult::End::kBroken);
  EXPECT_EQ(result.broken, "it died");
  EXPECT_EQ(subject.restarts, 1);
}

TEST(Differential, ProvesNothingWhenTheBelievedOneDies) {
  ScriptedLink subject(seven);
  ScriptedLink trusted(
      [](const Command&) -> Reply { throw LinkBroken(LinkBroken::Cause::kDied, "it died"); });

  const ProgramResult result = Differential(subject, trusted, {}).run(program_of({"value"}));

  EXPECT_EQ(result.end, ProgramResult::End::kUnknown);
  EXPECT_EQ(trusted.restarts, 1);
  EXPECT_EQ(subject.restarts, 0);
}

TEST(Differential, AProgramEndsWhereTheTrustedOneTakesACommandForNoMessage) {
  ScriptedLink trusted([](const Command&) { return Reply::make_invalid("no object 'x'"); });
  ScriptedLink subject(seven);

  const ProgramResult result =
      Differential(subject, trusted, {}).run(program_of({"value", "value"}));

  EXPECT_EQ(result.end, ProgramResult::End::kMeaningless);
  EXPECT_EQ(result.exchanges.size(), 1U);
  EXPECT_FALSE(result.difference);
}

TEST(Differential, RestartsWhatCannotBeCleaned) {
  ScriptedLink subject(seven), trusted(seven);
  subject.uncleaned.items.emplace_back("dispatch");
  Differential differential(subject, trusted, {});

  differential.run(program_of({"value"}));
  EXPECT_EQ(subject.restarts, 0);
  differential.run(program_of({"value"}));

  EXPECT_EQ(subject.restarts, 1);
  EXPECT_EQ(trusted.restarts, 0);
}

}  // namespace
}  // namespace assay
