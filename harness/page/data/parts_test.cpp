// Tests of tables, figures and the text of clauses.
#include "harness/page/markup/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/page/data/clause_text.hpp"

namespace assay::page {
namespace {

TEST(Figure, HasFourSignificantDigits) {
  EXPECT_EQ(figure(1.39921), "1.399");
  EXPECT_EQ(figure(21.0484), "21.05");
  EXPECT_EQ(figure(431.26), "431.3");
  EXPECT_EQ(figure(999.96), "1\u202f000");
  EXPECT_EQ(figure(12345.6), "12\u202f346");
  EXPECT_EQ(figure(-1234567), "-1\u202f234\u202f567");
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(0.0123456), "0.01235");
}

TEST(ByVersion, CountsAndDoesNotSpell) {
  std::vector<std::string> names{"2.11/cpu", "10",       "2.4/cuda", "2.4/cpu", "2.4",
                                 "2.04",     "1.13/cpu", "b",        ""};
  std::ranges::sort(names, ByVersion());
  EXPECT_EQ(names, (std::vector<std::string>{"", "1.13/cpu", "2.04", "2.4", "2.4/cpu", "2.4/cuda",
                                             "2.11/cpu", "10", "b"}));
  EXPECT_FALSE(ByVersion()("2.4", "2.4"));
}

TEST(Cut, EndsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(cut("äöü", 3), "ä … (6 bytes in all)");
  EXPECT_EQ(cut("äöü", 6), "äöü");
}

TEST(Table, HasACaptionAndHeads) {
  const Table table{"C", {"a", "b"}, {{{{"x", {}}, number(1.5, "1.5 ns")}, "row"}}, true};
  EXPECT_EQ(
      to_markup(table).html(),
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"C\">"
      "<table border=\"1\" cellpadding=\"5\"><caption><span>C</span></caption>"
      "<thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"n\">b</th></tr></thead>"
      "<tbody><tr id=\"row\"><th scope=\"row\">x</th>"
      "<td class=\"n\" align=\"right\" data-key=\"1.5\">1.5 ns</td></tr></tbody></table></div>");
}

TEST(Table, ColumnsThatSayNothingAreLeftOut) {
  Table table{
      "C", {"a", "b", "c"}, {{{{"x", {}}, {}, {"z", {}}}, ""}, {{{"u", {}}, {}, {}}, ""}}, true};

  table.drop_empty_columns();

  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[1].html(), "c");
  EXPECT_EQ(table.rows[0].cells[1].content.html(), "z");
}

TEST(Table, KeepsSoManyRowsAndTheAnchorsOfTheOthers) {
  Table table{"C", {"a", "b"}, {}, true};
  for (const char* name : {"one", "two", "three"})
    table.rows.push_back({{{name, {}}, {"x", {}}}, name});

  const std::string html = to_markup(table, 1, "case").html();

  EXPECT_NE(html.find(">one<"), std::string::npos);
  EXPECT_EQ(html.find(">two<"), std::string::npos);
  for (const char* part : {"id=\"two\"", "id=\"three\"", "2 more cases left out"})
    EXPECT_NE(html.find(part), std::string::npos) << html;
  EXPECT_EQ(to_markup(table, 3, "case").html(), to_markup(table).html());
}

TEST(SomeOf, NamesFewAndCountsTheRest) {
  EXPECT_EQ(some_of({}), "");
  EXPECT_EQ(some_of({"a", "b"}), "a, b");
  EXPECT_EQ(some_of({"a", "b", "c", "d", "e", "f"}), "a, b, c, d and 2 more");
}

TEST(Outcome, IsASymbolAndAWord) {
  EXPECT_EQ(outcome_mark("crash", true).html(), "<span class=\"bad\">✗ crash</span>");
  EXPECT_EQ(outcome_mark("unsupported", false).html(),
            "<span class=\"quiet\">– unsupported</span>");
  EXPECT_EQ(outcome_mark("unsupported", true).html(), "<span class=\"bad\">✗ unsupported</span>");
}

TEST(InlineMarkdown, CodeAndStrongWordsAreMarked) {
  EXPECT_EQ(inline_markdown("a `b<c` **d `e`** f*g").html(),
            "a <code>b&lt;c</code> <strong>d <code>e</code></strong> f*g");
  EXPECT_EQ(inline_markdown("an open ` stays, and **").html(), "an open ` stays, and **");
  EXPECT_EQ(inline_markdown("an ` open and **d**").html(), "an ` open and <strong>d</strong>");
}

TEST(InlineMarkdown, AStarBesideNoWordOpensEmphasis) {
  EXPECT_EQ(inline_markdown("a *b c*, (*d*) e*f g*h 2 * 3 * 4").html(),
            "a <em>b c</em>, (<em>d</em>) e*f g*h 2 * 3 * 4");
  EXPECT_EQ(inline_markdown("*the `x*`'s* device").html(),
            "<em>the <code>x*</code>&#39;s</em> device");
  EXPECT_EQ(inline_markdown("at::empty* and *scale").html(), "at::empty* and *scale");
}

TEST(ClauseBody, HasParagraphsListsAndTables) {
  Clause clause;
  clause.text =
      "### X-1 Title\nfirst\nline\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\nafter\n```\nx "
      "<y>\n\nz\n```";
  EXPECT_EQ(clause_body(clause).html(),
            "<div class=\"clause\"><p>first line</p><ul><li>one   more</li><li>two</li></ul>"
            "<pre tabindex=\"0\"><code>| a | b |\n|---|---|</code></pre><p>after</p>"
            "<pre tabindex=\"0\"><code>x &lt;y&gt;\n\nz</code></pre></div>");
}

TEST(CountText, IsWholeWhereTheCountIs) {
  EXPECT_EQ(count_text(12), "12");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(13075), "13\u202f075");
  EXPECT_EQ(count_text(82.5), "82.50");
}

TEST(Breakable, LinesEndBehindPartsAndNowhereElse) {
  EXPECT_EQ(breakable("dispatch/typed/tensors=1").html(), "dispatch/<wbr>typed/<wbr>tensors=1");
  EXPECT_EQ(breakable("amp/refuses_growth_to_either_infinity").html(),
            "amp/<wbr>refuses_growth_<wbr>to_either_infinity");
  EXPECT_EQ(breakable("<b>/").html(), "&lt;b&gt;/");
  EXPECT_EQ(breakable("").html(), "");
}

}  // namespace
}  // namespace assay::page
