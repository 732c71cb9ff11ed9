// Tests that texts are never interpreted as markup.
#include "harness/page/markup/markup.hpp"

#include <gtest/gtest.h>

namespace assay::page {
namespace {

TEST(Markup, ATextIsEscaped) {
  EXPECT_EQ(Markup("</script><b a='1' c=\"2\">&amp;").html(),
            "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
}

TEST(Markup, AnAttributeIsEscaped) {
  EXPECT_EQ(element("td", {{"title", "\"><script>"}, {"class", "n"}}, "7").html(),
            "<td title=\"&quot;&gt;&lt;script&gt;\" class=\"n\">7</td>");
}

TEST(Markup, MarkupInsideMarkupIsNotEscapedAgain) {
  EXPECT_EQ(element("p", Markup("a < b ") + element("b", "c & d")).html(),
            "<p>a &lt; b <b>c &amp; d</b></p>");
}

TEST(Markup, AnElementThatCannotHaveContentHasNoEnd) {
  EXPECT_EQ(element("br", {}).html(), "<br>");
  EXPECT_EQ(element("meta", {{"charset", "utf-8"}}).html(), "<meta charset=\"utf-8\">");
}

TEST(Markup, EndsOfCommentsAndSectionsAreText) {
  EXPECT_EQ(Markup("-->").html(), "--&gt;");
  EXPECT_EQ(Markup("]]>").html(), "]]&gt;");
}

TEST(Visible, ControlCharactersAndBrokenBytesAreShown) {
  EXPECT_EQ(visible(std::string_view("a\x1b[31m\0b\x7f", 8)), "a\\x1b[31m\\x00b");
  EXPECT_EQ(visible("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a surrogate pair";
}

TEST(Visible, MarksThatTurnTextRoundAreShown) {
  EXPECT_EQ(visible("a\u202eb\u2066c\u200fd\u061ce"), "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}e");
  EXPECT_EQ(visible("\u2028\ufeff\u200b\uffff"), "\\u{2028}\\u{feff}\\u{200b}\\u{ffff}");
  EXPECT_EQ(visible("\u0085\u00ad"), "\\u{85}\\u{ad}");
  EXPECT_EQ(visible("\U000e0041\U0001ffff"), "\\u{e0041}\\u{1ffff}");
}

TEST(Visible, OrdinaryTextStays) {
  EXPECT_EQ(visible("Grüße, 世界 🎉\n\tend"), "Grüße, 世界 🎉\n\tend");
}

TEST(Anchor, DifferentTextsHaveDifferentIds) {
  EXPECT_EQ(anchor_of("case", "amp/update_scale/a-b.c"), "case-amp/update_scale/a-b.c");
  EXPECT_EQ(anchor_of("case", "a b\"<"), "case-a:20b:22:3c");
  EXPECT_NE(anchor_of("case", "a b"), anchor_of("case", "a:20b"));
}

TEST(Link, LeadsToAnAnchorOfThePage) {
  EXPECT_EQ(link_to("case-1", "x < y").html(), "<a href=\"#case-1\">x &lt; y</a>");
  EXPECT_EQ(link_to("a\"b", "x", "k").html(), "<a class=\"k\" href=\"#a&quot;b\">x</a>");
}

}  // namespace
}  // namespace assay::page
