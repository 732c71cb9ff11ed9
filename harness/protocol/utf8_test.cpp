// Tests of the text that reaches a terminal.
#include "harness/protocol/utf8.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Printable, LeavesTextInAnyScriptAsItIs) {
  const std::string text = "a\tb\nπ ≤ 4, 勾配, שלום, 👍🏽";

  EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsControlCharactersAndBytesThatAreNoText) {
  EXPECT_EQ(printable(std::string_view("\x1b[2J\x07\0\r\x7f", 8)), "\\x1b[2J\\x07\\x00\\x0d\\x7f");
  EXPECT_EQ(printable("\xff\xc0 \xe2\x82"), "\\xff\\xc0 \\xe2\\x82");
}

TEST(Printable, ShowsC1ControlsDirectionMarksAndSeparators) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J\xc2\x85"),
            "\\u{9b}2J\\u{85}");
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u061ce"), "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}e");
  EXPECT_EQ(printable("\u2028\ufeff\U000e0041"), "\\u{2028}\\u{feff}\\u{e0041}");
}

TEST(Printable, ChangesNothingTheSecondTime) {
  const std::string once = printable("\x1b]0;title\x07 \u202e \xff");

  EXPECT_EQ(printable(once), once);
}

TEST(CodePoint, IsThatOfSequencesOfEachLength) {
  EXPECT_EQ(code_point("A"), 0x41U);
  EXPECT_EQ(code_point("\u00e9"), 0xe9U);
  EXPECT_EQ(code_point("\u2026"), 0x2026U);
  EXPECT_EQ(code_point("\U0001f44d"), 0x1f44dU);
}

}  // namespace
}  // namespace assay
