// Unit tests of recorded cases: which recordings are repeatable.
#include "harness/recorded/recorded_cases.hpp"

#include <gtest/gtest.h>

#include "harness/recorded/replay.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {
namespace {

const Case& some_case() {
  for (const Case& test : all_cases()) {
    if (test.id.starts_with("amp/update_scale/")) return test;
  }
  throw std::logic_error("there are no cases of amp");
}

TranscriptHeader header() {
  TranscriptHeader header;
  header.devices = {"cpu", "cuda:0"};
  header.areas = {"amp"};
  return header;
}

TranscriptEntry recorded_on_the_reference() {
  ConnectedSubject subject = connect("reference", {});
  RunnerOptions options;
  options.keep_history = true;
  Runner runner(*subject.link, options);
  const Contract contract{Release::k2_11, DeviceRules::kCuda, Deviations::kStrict};
  const CaseResult result = runner.run({&some_case(), contract});
  TranscriptEntry entry{result.test->id, contract, std::string(name_of(result.outcome)), {}};
  for (const Exchange& exchange : result.history) {
    entry.exchanges.emplace_back(exchange.command, exchange.reply);
  }
  return entry;
}

TEST(RecordedCases, ThatSendTheSameAgainAreRepeatable) {
  EXPECT_TRUE(is_repeatable(header(), recorded_on_the_reference()));
}

TEST(RecordedCases, ThatSendMoreOrOtherCommandsAreNot) {
  TranscriptEntry shorter = recorded_on_the_reference();
  shorter.exchanges.pop_back();
  EXPECT_FALSE(is_repeatable(header(), shorter));

  TranscriptEntry other = recorded_on_the_reference();
  other.exchanges.front().first.verb = "amp.other";
  EXPECT_FALSE(is_repeatable(header(), other));

  TranscriptEntry gone = recorded_on_the_reference();
  gone.case_id += "_no_more";
  EXPECT_FALSE(is_repeatable(header(), gone));
}

/// Replays what `change` makes of a recording; only replies to value commands may differ.
CaseResult replayed(void (*change)(Exchanges&), bool& are_alike) {
  Exchanges exchanges;
  for (const char* name : {"first", "second"}) {
    Command command;
    command.verb = "value";
    command.with = {{"value", name}};
    exchanges.emplace_back(command, Reply::make_ok({{"result", name}}));
  }
  change(exchanges);
  Case test = some_case();
  test.body = [&](Session& subject) {
    are_alike = replay(subject, exchanges, [](const Command& command) {
      return *command.with.find("value")->get_if<std::string>() == "first";
    });
  };
  ConnectedSubject subject = connect("reference", {});
  Runner runner(*subject.link, {});
  return runner.run({&test, {Release::k2_11, DeviceRules::kCuda, Deviations::kStrict}});
}

TEST(RecordedCases, AreComparedOnBehindAReplyThatMayDiffer) {
  bool are_alike = false;
  EXPECT_EQ(replayed([](Exchanges&) {}, are_alike).outcome, Outcome::kPass);
  EXPECT_TRUE(are_alike);

  const auto change_first = [](Exchanges& exchanges) {
    exchanges[0].second = Reply::make_ok({{"result", "other"}});
  };
  EXPECT_EQ(replayed(change_first, are_alike).outcome, Outcome::kPass);
  EXPECT_FALSE(are_alike);

  const auto change_both = [](Exchanges& exchanges) {
    exchanges[0].second = Reply::make_ok({{"result", "other"}});
    exchanges[1].second = Reply::make_ok({{"result", "other"}});
  };
  const CaseResult result = replayed(change_both, are_alike);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.failure->sentence, "command 2 of 2: result differs");
}

}  // namespace
}  // namespace assay
