// Tests of the contents and the width of a failure's card.
#include "harness/suite/card/card.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

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
  EXPECT_NE(replay_line(result, "sh -c \"it's $1\"").find(R"(--subject 'sh -c "it'\''s $1"' )"),
            std::string::npos);
}

TEST(Card, SaysWhatDoesNotHold) {
  Scripted link;
  const CaseResult one = run_once(link, [](Session&) { expect_true(false, "it is on"); });
  const CaseResult other = run_once(link, [](Session&) { expect_false(true, "it is off"); });

  EXPECT_NE(card(one, {.subject = "s"}).find("does not hold: it is on (card_test.cpp"),
            std::string::npos);
  EXPECT_NE(card(other, {.subject = "s"}).find("does not hold: it is off (card_test.cpp"),
            std::string::npos);
}

TEST(Card, SaysThatThereWasNoReply) {
  Scripted link;
  link.answer = [](const Command&) -> Reply { throw LinkBroken(LinkBroken::Cause::kDied, "gone"); };
  const CaseResult result = run_once(link, send_one);

  EXPECT_NE(card(result, {.subject = "s"}).find("\n  reply     none\n"), std::string::npos);
}

TEST(Card, NamesThePythonThatWasAsked) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  setenv("ASSAY_PYTHON", "/opt/py", 1);
  const std::string torch = replay_line(result, "torch --device cpu");
  const std::string other = replay_line(result, "torchlike");
  unsetenv("ASSAY_PYTHON");

  EXPECT_NE(torch.find(R"(--subject "torch --device cpu" --python "/opt/py" --release)"),
            std::string::npos)
      << torch;
  EXPECT_EQ(other.find("--python"), std::string::npos) << other;
  EXPECT_EQ(replay_line(result, "torch").find("--python"), std::string::npos);
}

TEST(Card, IsColouredOnlyOnRequest) {
  Scripted link;
  const CaseResult result = run_once(link, [](Session&) { expect_true(false, "no"); });

  EXPECT_NE(card(result, {.subject = "s", .colours = true}).find("\x1b[1;31mFAIL"),
            std::string::npos);
}

}  // namespace
}  // namespace assay
