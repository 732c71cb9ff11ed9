// Tests of hostile text at each outlet.
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

}  // namespace
}  // namespace assay
