// Tests that transcripts survive conversion to text, and that a changed case is detected.
#include "harness/program/transcript.hpp"

#include <gtest/gtest.h>

#include "harness/program/compare_replies.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

Command command(std::int64_t id, std::string verb, Fields with = {}) {
  Command made;
  made.id = id;
  made.verb = std::move(verb);
  made.with = std::move(with);
  return made;
}

TranscriptEntry entry() {
  TranscriptEntry made;
  made.case_id = "amp/one";
  made.contract = {Release::k2_4, DeviceRules::kCpu, Deviations::kCompat};
  made.outcome = "pass";
  made.exchanges = {{command(1, "value", {{"value", 1.5}}), Reply::make_ok({{"result", 1.5}})},
                    {command(2, "raise"), Reply::make_error(ErrorKind::kType, "no")}};
  return made;
}

Transcript transcript() {
  return {{"python3 it.py", "it", "1", {"cuda:0"}, {"amp"}, "2026-11-21T00:00:00Z", "assay record"},
          {entry(), entry()}};
}

TEST(Transcript, IsTheSameWhenItIsReadBack) {
  const Transcript made = transcript();

  const Transcript read = transcript_from_lines(to_lines(made));

  EXPECT_EQ(to_lines(read), to_lines(made));
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_EQ(to_text(read.entries[1].contract), "2.4/cpu/compat");
  EXPECT_EQ(read.header.devices, std::vector<std::string>{"cuda:0"});
}

TEST(Transcript, RefusesAProgramThatDoesNotHaveItsHash) {
  std::string lines = to_lines(transcript());
  lines.replace(lines.find("0x1.8p+0"), 8, "0x1.9p+0");

  try {
    transcript_from_lines(lines);
    FAIL() << "a changed program was accepted";
  } catch (const MalformedMessage& error) {
    EXPECT_TRUE(holds(error.what(), "line 2")) << error.what();
  }
}

TEST(Transcript, RefusesWhatIsNone) {
  EXPECT_THROW(transcript_from_lines(""), MalformedMessage);
  EXPECT_THROW(transcript_from_lines("{}"), MalformedMessage);
  EXPECT_THROW(transcript_from_lines("{\"transcript\":2}"), MalformedMessage);
  EXPECT_THROW(transcript_from_lines("\xff\xfe\n"), MalformedMessage);
}

TEST(Playback, AnswersAsItWasRecorded) {
  const TranscriptEntry recorded = entry();
  Playback playback(recorded.exchanges, Reply::make_ok());

  const Reply first = playback.exchange(recorded.exchanges[0].first);
  const Reply second = playback.exchange(recorded.exchanges[1].first);

  EXPECT_EQ(to_json(first), to_json(recorded.exchanges[0].second));
  EXPECT_EQ(to_json(second), to_json(recorded.exchanges[1].second));
  EXPECT_EQ(playback.stale(), "");
}

TEST(Playback, IsStaleWhenACommandHasChanged) {
  const TranscriptEntry recorded = entry();
  Playback playback(recorded.exchanges, Reply::make_ok());

  EXPECT_THROW(playback.exchange(command(1, "value", {{"value", 2.5}})), RecordingMismatch);
  EXPECT_TRUE(holds(playback.stale(), "command 1"));
}

TEST(Playback, RemembersTheFirstDifference) {
  const TranscriptEntry recorded = entry();
  Playback playback(recorded.exchanges, Reply::make_ok());

  EXPECT_THROW(playback.exchange(command(1, "value", {{"value", 2.5}})), RecordingMismatch);
  EXPECT_THROW(playback.exchange(recorded.exchanges[0].first), RecordingMismatch);
  EXPECT_TRUE(holds(playback.stale(), "\"value\":{\"f\"")) << playback.stale();
}

TEST(Playback, IsStaleWhenFewerCommandsAreSent) {
  const TranscriptEntry recorded = entry();
  Playback playback(recorded.exchanges, Reply::make_ok());

  playback.exchange(recorded.exchanges[0].first);

  EXPECT_NE(playback.stale(), "");
}

TEST(CompareReplies, CountsValuesAndKindsButNotMessages) {
  const Command asked = command(1, "value");
  const Reply one = Reply::make_ok({{"result", 1.0}});
  const Reply minus_zero = Reply::make_ok({{"result", -0.0}});
  const Reply zero = Reply::make_ok({{"result", 0.0}});
  const Reply type = Reply::make_error(ErrorKind::kType, "one wording");

  EXPECT_FALSE(compare_replies(asked, one, one));
  EXPECT_TRUE(compare_replies(asked, zero, minus_zero));
  EXPECT_TRUE(compare_replies(asked, one, type));
  EXPECT_FALSE(compare_replies(asked, type, Reply::make_error(ErrorKind::kType, "another")));
  EXPECT_TRUE(compare_replies(asked, type, Reply::make_error(ErrorKind::kValue, "one wording")));
  EXPECT_TRUE(compare_replies(asked, Reply::make_ok(), one));
}

TEST(CompareReplies, LeavesOutWhatOneSideIsBlindTo) {
  const Command asked = command(1, "value");
  Reply blind = Reply::make_ok();
  blind.blind = {"result"};

  EXPECT_FALSE(compare_replies(asked, blind, Reply::make_ok({{"result", 1.0}})));
  EXPECT_FALSE(compare_replies(asked, Reply::make_ok({{"result", 1.0}}), blind));
}

TEST(CompareReplies, FollowsTheMarksOfTheSchema) {
  const Command hello = command(0, "hello");
  const Reply mine = Reply::make_ok({{"name", "mine"}, {"release", "2.4"}});

  EXPECT_FALSE(
      compare_replies(hello, Reply::make_ok({{"name", "yours"}, {"release", "2.4"}}), mine));
  EXPECT_TRUE(
      compare_replies(hello, Reply::make_ok({{"name", "mine"}, {"release", "2.11"}}), mine));
}

}  // namespace
}  // namespace assay
