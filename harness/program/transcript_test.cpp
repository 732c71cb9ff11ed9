// Tests that transcripts survive conversion to text, and that a changed case is detected.
#include "harness/program/transcript.hpp"

#include <gtest/gtest.h>

#include <regex>

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

// Users' own programs, and damaged files.

constexpr const char* kHeader = "{\"transcript\": 1}\n";
constexpr const char* kProgram =
    R"({"case": "core/mine/echo", "clauses": ["CORE-01"], "release": "2.4", "exchanges": )"
    R"([[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]]})";

std::string refusal(const std::string& text) {
  return error_of<MalformedMessage>([&] { own_programs_from_lines(text); });
}

std::string replaced(std::string from, const std::string& to) {
  std::string text = std::string(kHeader) + kProgram;
  return text.replace(text.find(from), from.size(), to);
}

TEST(OwnProgram, IsReadWithItsContractAndLine) {
  const auto programs = own_programs_from_lines(std::string(kHeader) + "\n" + kProgram);

  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(programs[0].case_id, "core/mine/echo");
  EXPECT_EQ(programs[0].line, 3U);
  EXPECT_EQ(programs[0].release, Release::k2_4);
  EXPECT_FALSE(programs[0].deviations);
  EXPECT_EQ(programs[0].exchanges[0].first.verb, "value");
}

TEST(OwnProgram, IsRefusedWithLineAndReason) {
  EXPECT_EQ(refusal(std::string(kHeader) + kProgram), "");
  EXPECT_TRUE(holds(refusal(""), "1: expected a header"));
  EXPECT_TRUE(holds(refusal("{}\n"), "1: expected a header"));
  EXPECT_TRUE(holds(refusal(replaced("core/mine/echo", "Echo")), "2: 'case' is 'Echo'"));
  EXPECT_TRUE(holds(refusal(replaced("2.4", "2.5")), "2: 'release' cannot be '2.5'"));
  EXPECT_TRUE(holds(refusal(replaced("\"value\", \"with\"", "\"valeu\", \"with\"")), "valeu"));
  EXPECT_TRUE(
      holds(refusal(replaced("\"exchanges\": ", "\"program\": \"00\", \"exchanges\": ")), "hash"));
  EXPECT_TRUE(
      holds(refusal(replaced(", {\"id\": 1, \"ok\": {\"result\": 7}}", "")), "2: exchange 1"));
}

TEST(OwnProgram, ThatExpectsNothingIsRefused) {
  EXPECT_TRUE(holds(refusal(kHeader), "1: there is no case"));
  EXPECT_TRUE(holds(refusal(replaced("\"clauses\"", "\"clause\"")), "unknown member 'clause'"));
  EXPECT_TRUE(
      holds(refusal(replaced("\"transcript\": 1", "\"transcript\": 1, \"sub\": 1")), "'sub'"));
  for (const std::string word : {"invalid", "unsupported"}) {
    const std::string reply = R"({"id": 1, ")" + word + R"(": "no"})";
    const std::string why = refusal(replaced(R"({"id": 1, "ok": {"result": 7}})", reply));
    EXPECT_TRUE(holds(why, "2: exchange 1: a case cannot expect '" + word)) << why;
  }
}

TEST(OwnProgram, CutAnywhereIsRefusedWithALine) {
  const std::string text = std::string(kHeader) + kProgram;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    EXPECT_FALSE(refusal(cut).empty()) << length;
  }
}

// Tests that damaged programs and transcripts are read, or rejected with the line.

constexpr int kDamaged = 3000;

constexpr const char* kPrograms =
    R"({"transcript": 1}
{"case": "core/mine/echo", "clauses": ["CORE-01"], "release": "2.4", "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]]}
{"case": "core/mine/float", "exchanges": [[{"id": 1, "do": "value", "with": {"value": {"f": "0x1p-3"}}}, {"id": 1, "ok": {"result": {"f": "0x1p-3"}}}]]}
)";

std::string transcript_text() {
  Command command;
  command.id = 1;
  command.verb = "value";
  command.with = {{"value", 0.125}};
  Reply reply = Reply::make_ok({{"result", 0.125}});
  reply.id = 1;
  Transcript transcript;
  transcript.header = {"torch", "PyTorch", "2.4", {"cpu"}, {"core"}, "2026-11-21", "assay record"};
  transcript.entries = {{"core/one", Contract{}, "pass", {{command, reply}}}};
  return to_lines(transcript);
}

/// Empty if it can be read.
template <typename Reader>
std::string refusal(const Reader& reader, const std::string& text) {
  return error_of<MalformedMessage>([&] { reader(text); });
}

bool is_clear(const std::string& refusal) {
  static const std::regex form(R"((line )?\d+: \S[^]*)");
  return refusal.empty() || std::regex_match(refusal, form);
}

template <typename Reader>
void expect_survival(const Reader& reader, const std::string& text, std::uint64_t seed) {
  ASSERT_EQ(refusal(reader, text), "");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string why = refusal(reader, text.substr(0, length));
    ASSERT_TRUE(is_clear(why)) << "cut to " << length << ": " << why;
  }
  Damage damage(seed, other_json_values());
  int refused = 0;
  for (int i = 0; i < kDamaged; ++i) {
    const std::string damaged = damage(text);
    const std::string why = refusal(reader, damaged);
    ASSERT_TRUE(is_clear(why)) << why << "\n" << damaged;
    refused += why.empty() ? 0 : 1;
  }
  EXPECT_GT(refused, kDamaged / 2) << "the damage has become harmless";
}

TEST(DamagedPrograms, AreReadOrRefusedWithTheLine) {
  expect_survival(own_programs_from_lines, kPrograms, 4);
}

TEST(DamagedPrograms, OfTranscriptsAreReadOrRefusedWithTheLine) {
  expect_survival(transcript_from_lines, transcript_text(), 5);
}

TEST(DamagedPrograms, ThatNestDeeplyAreRefused) {
  std::string text = kPrograms;
  text.replace(text.find('7'), 1, std::string(300'000, '[') + std::string(300'000, ']'));

  EXPECT_TRUE(holds(refusal(own_programs_from_lines, text), "2: it nests deeper than"));
  EXPECT_TRUE(
      holds(refusal(transcript_from_lines, std::string(300'000, '[')), "nests deeper than"));
}

}  // namespace
}  // namespace assay
