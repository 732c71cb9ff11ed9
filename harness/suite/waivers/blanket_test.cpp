// Tests that waivers that match everything or were not filled in are rejected.
#include "harness/suite/waivers/blanket.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

Waiver waiver_of(const std::string& cases, const std::string& pattern,
                 std::vector<std::string> tokens = {}) {
  Waiver waiver;
  waiver.cases = cases;
  waiver.pattern = pattern;
  waiver.tokens = std::move(tokens);
  waiver.reason = "known";
  waiver.link = "https://example.org/1";
  waiver.owner = "me";
  return waiver;
}

TEST(Blanket, OfEveryCaseAndAnyFailureIsRefused) {
  for (const char* cases : {"*", "**", "*/*", "?*", "[!~]*", "*e*"}) {
    for (const char* pattern : {"*", "**", "?*", "*?", "* *", "*e*"}) {
      EXPECT_NE(refusal_of(waiver_of(cases, pattern)), "") << cases << " " << pattern;
    }
    for (const char* token : {" ", "\n", "e"}) {
      EXPECT_NE(refusal_of(waiver_of(cases, "", {token})), "") << cases << " '" << token << "'";
    }
  }
}

TEST(Blanket, OfEveryCaseNeedsWordsOfOneFailure) {
  EXPECT_NE(refusal_of(waiver_of("*", "", {"differ"})), "");
  EXPECT_NE(refusal_of(waiver_of("*", "", {"the", "Values"})), "");
  EXPECT_NE(refusal_of(waiver_of("*", "*died of*")), "");
  EXPECT_EQ(refusal_of(waiver_of("*", "", {"differs", "0x1p-140"})), "");
  EXPECT_EQ(refusal_of(waiver_of("*", "*misaligned address*")), "");
}

TEST(Blanket, OfSomeCasesMayTakeAnyFailure) {
  EXPECT_EQ(refusal_of(waiver_of("amp/unscale/*", "*")), "");
  EXPECT_EQ(refusal_of(waiver_of("amp/unscale/flushes", "", {"e"})), "");
}

TEST(Unwritten, TextsAreNamedOneByOne) {
  const Waiver written = waiver_of("amp/unscale/*", "", {"differs"});
  ASSERT_EQ(refusal_of(written), "");
  Waiver waiver = written;
  waiver.reason = kUnwrittenReason;
  EXPECT_EQ(refusal_of(waiver), "'reason' is still to be written");
  waiver = written;
  waiver.link = std::string("  ") + kUnwrittenLink + ".";
  EXPECT_EQ(refusal_of(waiver), "'link' is still to be written");
  waiver = written;
  waiver.owner = "  ";
  EXPECT_EQ(refusal_of(waiver), "'owner' is still to be written");
}

TEST(Unwritten, TextsAreBlankOrLeftForLater) {
  for (const char* text : {"", " \n", "...", "?", "tbd",
                           "T"
                           "ODO: why",
                           "Fixme, soon", "todo", "\u200b\u200b", "\u00a0", "\u2026\u2014",
                           "\u2800", "T\u200bBD", "\u3164"}) {
    EXPECT_TRUE(is_unwritten(text)) << text;
  }
  for (const char* text : {"no kernel", "Todos are not kept", "issue 12", "ядра нет", "7"}) {
    EXPECT_FALSE(is_unwritten(text)) << text;
  }
}

}  // namespace
}  // namespace assay
