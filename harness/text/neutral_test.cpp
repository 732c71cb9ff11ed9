// Tests of hostile text at each outlet, and of hiding secrets.
#include "harness/text/neutral.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(OneLine, CannotLookLikeALineOfOurs) {
  EXPECT_EQ(one_line("x\nPASS 9 of 9\t\x1b[0m"), "x\\x0aPASS 9 of 9\\x09\\x1b[0m");
}

TEST(CiCommands, AreDefusedAtTheBeginningOfEachLineWhateverStandsBeforeThem) {
  EXPECT_EQ(without_ci_commands("::add-mask::x"), "\\x3a:add-mask::x");
  EXPECT_EQ(without_ci_commands("a\n  \t::stop-commands::t\nb\r::x::y\n"),
            "a\n  \t\\x3a:stop-commands::t\nb\r\\x3a:x::y\n");
  EXPECT_EQ(without_ci_commands("\u00a0\u3000::x::"), "\u00a0\u3000\\x3a:x::");
  EXPECT_EQ(without_ci_commands("\x1b[1m::x::"), "\x1b[1m\\x3a:x::");
}

TEST(CiCommands, AreDefusedAnywhereInALineWhereTheyCount) {
  EXPECT_EQ(without_ci_commands("got ##[error]a ##[b]"), "got #\\x23[error]a #\\x23[b]");
  EXPECT_EQ(without_ci_commands("###[group]"), "##\\x23[group]");
  EXPECT_EQ(without_ci_commands("##vso[task.x]##teamcity[y]"),
            "#\\x23vso[task.x]#\\x23teamcity[y]");
}

TEST(CiCommands, LeaveAllOtherTextAsItIs) {
  const std::string text = "std::vector: ## heading [x]\n  where: a::b\n#[x]\n";

  EXPECT_EQ(without_ci_commands(text), text);
}

TEST(CiCommands, InDataKeepWhatTheDataMeans) {
  EXPECT_EQ(data_without_ci_commands(R"(["##[x]", "##"])"), R"(["#\u0023[x]", "##"])");
}

TEST(Data, ForATerminalIsEscapedInsideItsFormat) {
  const std::string text = "[\"a\u202e\u009b\x7f\u00e9\U000e0001\xff\",\n\t1]";

  EXPECT_EQ(data_for_terminal(text, DataFormat::kJson),
            "[\"a\\u202e\\u009b\\u007f\u00e9\\udb40\\udc01\ufffd\",\n\t1]");
  EXPECT_EQ(data_for_terminal("x = \"\U000e0001\"\r\n", DataFormat::kToml),
            "x = \"\\U000e0001\" \n");
  EXPECT_EQ(data_for_terminal("\x1b[2J", DataFormat::kJson), "\\u001b[2J");
}

TEST(Annotations, KeepTheirMessageOnOneLine) {
  EXPECT_EQ(for_annotation("100%\r\n::error::x\x1b"), "100%25\\x0d%0A::error::x\\x1b");
  EXPECT_EQ(for_annotation("##[error]x"), "#\\x23[error]x");
  EXPECT_EQ(for_annotation_property("a,b::c"), "a%2Cb%3A%3Ac");
}

TEST(Markdown, HasNoMarkupLinkOrMention) {
  EXPECT_EQ(for_markdown("a *b* [c](d) `e` <f> |g| _h_\ni"),
            "a \\*b\\* \\[c\\](d) \\`e\\` &lt;f\\> \\|g\\| \\_h\\_ i");
  EXPECT_EQ(for_markdown("&lt; @who"), "&amp;lt; @<!-- -->who");
  EXPECT_EQ(for_markdown("#12 http://x"), "\\#<!-- -->12 http:<!-- -->//x");
  EXPECT_EQ(for_markdown(" ::add-mask::x a::b"), " \\::add-mask::x a::b");
  EXPECT_EQ(for_markdown("\u202e\x1b"), "\\\\u{202e}\\\\x1b");
}

TEST(Markdown, HasCodeThatEndsWhereTheTextEnds) {
  EXPECT_EQ(markdown_code("assay run"), "`assay run`");
  EXPECT_EQ(markdown_code("a`b``c"), "``` a`b``c ```");
  EXPECT_EQ(markdown_code("a\nb"), "`a\\x0ab`");
  EXPECT_EQ(markdown_code("##[error]"), "`#\\x23[error]`");
}

TEST(Csv, PlainTextStaysAsItIs) {
  EXPECT_EQ(for_csv("amp/update_scale"), "amp/update_scale");
  EXPECT_EQ(for_csv(""), "");
  EXPECT_EQ(for_csv("a = b"), "a = b");
}

TEST(Csv, WhatWouldEndAFieldIsQuoted) {
  EXPECT_EQ(for_csv("a,b"), "\"a,b\"");
  EXPECT_EQ(for_csv("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(for_csv("a\nb"), "\"a\nb\"");
}

TEST(Csv, NoTextTellsATerminalWhatToDo) {
  EXPECT_EQ(for_csv("a\rb\x1b[2J\xc2\x9b"), "a\\x0db\\x1b[2J\\u{9b}");
}

TEST(Csv, NoTextIsACommandToACiSystem) {
  EXPECT_EQ(for_csv("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(for_csv("a\n::error::x ##[b]"), "\"a\n\\x3a:error::x #\\x23[b]\"");
}

TEST(Csv, NoTextIsAFormula) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"}) {
    EXPECT_EQ(for_csv(text), "'" + std::string(text));
  }
  EXPECT_EQ(for_csv("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

TEST(RedactTest, EachSecretIsHiddenWhereverItStands) {
  EXPECT_EQ(redacted("a --token abc --again=abcabc", {"abc"}), "a --token *** --again=******");
  EXPECT_EQ(redacted("nothing here", {"abc"}), "nothing here");
  EXPECT_EQ(redacted("", {"abc"}), "");
}

TEST(RedactTest, ASecretThatHoldsAnotherIsHiddenWhole) {
  EXPECT_EQ(redacted("key abcdef and abc", {"abc", "abcdef"}), "key *** and ***");
}

TEST(RedactTest, AnEmptySecretHidesNothing) { EXPECT_EQ(redacted("abc", {""}), "abc"); }

TEST(RedactTest, WhatHidesIsNotHiddenAgain) { EXPECT_EQ(redacted("x*y", {"*"}), "x***y"); }

}  // namespace
}  // namespace assay
