// Tests of the contents and the width of a failure's card.
#include "harness/suite/card/card.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/protocol/testing.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/scripted_link.hpp"
#include "harness/suite/tensors.hpp"

namespace assay {
namespace {

TEST(Card, HoldsAllThatIsNeededIn100Columns) {
  Scripted link;
  link.answer = [](const Command&) { return Reply::make_ok({{"result", std::string(500, 'x')}}); };
  const CaseResult result = run_once(link, [](Session& session) {
    for (int i = 0; i < 9; ++i) session.send("value", {{"value", i}});
    const ScopedTrace row("row 3");
    expect_bits(Value(f32({1.0})), Value(f32({1.5})));
  });

  const std::string text = card(result, {.subject = "scripted one"});

  for (const char* part :
       {"FAIL  amp/one", "2.15/cuda/strict", "AMP-201", "row 3", "33 %", "3fc00000", "3f800000",
        "(1.5)", "\"do\":\"value\"", "the last 4 of 9 commands",
        "assay replay amp/one --subject \"scripted one\" --release 2.15"}) {
    EXPECT_TRUE(holds(text, part)) << "lacks " << part << " in\n" << text;
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

  EXPECT_TRUE(holds(replay_line(result, "sh -c \"it\""), "--subject 'sh -c \"it\"' "));
  EXPECT_TRUE(
      holds(replay_line(result, "sh -c \"it's $1\""), R"(--subject 'sh -c "it'\''s $1"' )"));
}

TEST(Card, SaysWhatDoesNotHold) {
  Scripted link;
  const CaseResult one = run_once(link, [](Session&) { expect_true(false, "it is on"); });
  const CaseResult other = run_once(link, [](Session&) { expect_false(true, "it is off"); });

  EXPECT_TRUE(holds(card(one, {.subject = "s"}), "does not hold: it is on (card_test.cpp"));
  EXPECT_TRUE(holds(card(other, {.subject = "s"}), "does not hold: it is off (card_test.cpp"));
}

TEST(Card, SaysThatThereWasNoReply) {
  Scripted link;
  link.answer = [](const Command&) -> Reply { throw LinkBroken(LinkBroken::Cause::kDied, "gone"); };
  const CaseResult result = run_once(link, send_one);

  EXPECT_TRUE(holds(card(result, {.subject = "s"}), "\n  reply     none\n"));
}

TEST(Card, NamesThePythonThatWasAsked) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  setenv("ASSAY_PYTHON", "/opt/py", 1);
  const std::string torch = replay_line(result, "torch --device cpu");
  const std::string other = replay_line(result, "torchlike");
  unsetenv("ASSAY_PYTHON");

  EXPECT_TRUE(holds(torch, R"(--subject "torch --device cpu" --python "/opt/py" --release)"))
      << torch;
  EXPECT_FALSE(holds(other, "--python")) << other;
  EXPECT_FALSE(holds(replay_line(result, "torch"), "--python"));
}

TEST(Card, IsColouredOnlyOnRequest) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  EXPECT_TRUE(holds(card(result, {.subject = "s", .colours = true}), "\x1b[1;31mFAIL"));
}

}  // namespace
}  // namespace assay
