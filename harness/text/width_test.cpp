// Tests of the width of text, and of its lines.
#include "harness/text/width.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "harness/protocol/utf8.hpp"

namespace assay {
namespace {

TEST(Columns, AreWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("é…≤"), 3U);
  EXPECT_EQ(columns_of("e\u0301"), 1U);
  EXPECT_EQ(columns_of("勾配"), 4U);
}

TEST(Fitting, TakesWholeCharactersOnly) {
  EXPECT_EQ(fitting("abc", 2), 2U);
  EXPECT_EQ(fitting("勾配", 3), 3U);
  EXPECT_EQ(fitting("勾配", 1), 0U);
  EXPECT_EQ(fitting("abc", 9), 3U);
}

TEST(CutTo, LeavesWhatFitsAndMarksWhatDoesNot) {
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcd", 3), "ab…");
  EXPECT_EQ(cut_to("勾配", 3), "勾…");
  EXPECT_EQ(cut_to("勾配", 2), "…");
  EXPECT_EQ(cut_to("abc", 0), "");
}

TEST(CutTo, MakesOneLineOfMany) { EXPECT_EQ(cut_to("a\nb\x1b", 20), "a\\x0ab\\x1b"); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(Wrapped, BreaksAtSpacesAndLineBreaks) {
  EXPECT_EQ(wrapped("one two three four five six\nseven", 2, 22, 9),
            "  one two three four\n  five six\n  seven\n");
}

TEST(Wrapped, KeepsEmptyLinesAndIndentsOfTheText) {
  EXPECT_EQ(wrapped("a\n\n  b", 2, 40, 9), "  a\n  \n    b\n");
  EXPECT_EQ(wrapped("", 2, 40, 9), "  \n");
}

TEST(Wrapped, FillsTheLastLineWhereNothingIsCut) {
  const std::string text = "12345678901234567890 12345678901234567890";

  EXPECT_EQ(wrapped(text, 0, 20, 2), "12345678901234567890\n12345678901234567890\n");
}

TEST(Wrapped, CutsAfterTheLastLineAndSaysSo) {
  const std::string text = wrapped(std::string(300, 'x') + " " + std::string(300, 'y'), 4, 60, 2);

  EXPECT_EQ(lines_of(text).size(), 2U) << text;
  EXPECT_TRUE(text.ends_with(" … (601 bytes in all)\n")) << text;
  for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 60U) << line;
}

TEST(Wrapped, NeverSplitsACharacter) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "勾配é";

  for (std::size_t width = 24; width < 40; ++width) {
    const std::string lines = wrapped(text, 3, width, 5);
    EXPECT_EQ(printable(lines), lines) << width;
    for (const std::string& line : lines_of(lines)) EXPECT_LE(columns_of(line), width) << line;
  }
}

TEST(WrappedJson, BreaksBetweenTokensOnly) {
  const std::string text =
      R"({"id":1,"do":"amp.unscale","with":{"grads":[{"f":"0x1p+0"},{"f":"0x1.8p+1"}],"same":true}})";

  for (std::size_t width = 24; width < 110; ++width) {
    const std::string broken = wrapped_json(text, 2, width, 50);
    std::string joined;
    for (const std::string& line : lines_of(broken)) {
      EXPECT_LE(columns_of(line), width) << broken;
      EXPECT_TRUE(std::string_view(",{[:").find(line.back()) != std::string_view::npos ||
                  line.ends_with("}}"))
          << line;
      joined += line.substr(2);
    }
    EXPECT_EQ(joined, text);
  }
}

TEST(WrappedJson, KeepsANameBesideItsValue) {
  EXPECT_EQ(wrapped_json(R"({"first":"aaaaaaaa","second":"bbbbbbbb"})", 0, 24, 9),
            "{\"first\":\"aaaaaaaa\",\n\"second\":\"bbbbbbbb\"}\n");
}

TEST(WrappedJson, EndsALineBeforeAnOpeningBracketRatherThanBehindIt) {
  EXPECT_EQ(wrapped_json(R"({"a":1,"bbbbbb":{"ccccccc":2}})", 0, 20, 9),
            "{\"a\":1,\n\"bbbbbb\":{\n\"ccccccc\":2}}\n");
  EXPECT_EQ(wrapped_json(R"({"a":1,"bbbb":{"cc":2}})", 0, 20, 9),
            "{\"a\":1,\n\"bbbb\":{\"cc\":2}}\n");
}

TEST(WrappedJson, ShowsTheBeginningAndTheLengthOfALongString) {
  const std::string text = R"({"dtype":"float32","bits":")" + std::string(500, '0') + "\"}";

  const std::vector<std::string> lines = lines_of(wrapped_json(text, 0, 40, 9));

  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[1].starts_with("\"bits\":\"0000000")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with("0…\" (500 bytes)}")) << lines[1];
  EXPECT_EQ(columns_of(lines[1]), 40U);
}

TEST(WrappedJson, PutsAStringBelowItsNameWhereItFitsALineOfItsOwn) {
  const std::string value = "\"" + std::string(30, '0') + "\"";

  EXPECT_EQ(wrapped_json("{\"a_name\":" + value + "}", 0, 40, 9), "{\"a_name\":\n" + value + "}\n");
}

TEST(WrappedJson, KeepsEscapesWholeInAShortenedString) {
  for (std::size_t width = 24; width < 40; ++width) {
    std::string text = "\"";
    for (int i = 0; i < 50; ++i) text += "\\u00e9\\\\";
    const std::string line = wrapped_json(text + "\"", 0, width, 9);
    const std::size_t end = line.find("…");
    ASSERT_NE(end, std::string::npos);
    std::string_view kept = std::string_view(line).substr(1, end - 1);
    while (kept.ends_with("\\\\") || kept.ends_with("\\u00e9")) {
      kept.remove_suffix(kept.ends_with("\\\\") ? 2 : 6);
    }
    EXPECT_EQ(kept, "") << line;
  }
}

TEST(WrappedJson, IsCutAtATokenToo) {
  std::string text = "[";
  for (int i = 100000; i < 100200; ++i) text += std::to_string(i) + ",";

  const std::vector<std::string> lines = lines_of(wrapped_json(text + "1]", 2, 60, 3));

  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines.back().ends_with(", … (1403 bytes in all)")) << lines.back();
  EXPECT_LE(columns_of(lines.back()), 60U);
}

TEST(WrappedJson, TakesTextThatIsNoneAsItComes) {
  EXPECT_EQ(wrapped_json("0x1p+0 (1), \"open", 2, 40, 3), "  0x1p+0 (1), \"open\n");
}

}  // namespace
}  // namespace assay
