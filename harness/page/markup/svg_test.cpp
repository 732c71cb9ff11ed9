// Tests of the elements of drawings.
#include "harness/page/markup/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "harness/protocol/testing.hpp"

namespace assay::page {
namespace {

constexpr const char* kOpening =
    "<svg viewBox=\"0 0 160 16\" width=\"160\" height=\"16\" role=\"img\">"
    "<title>T</title><desc>D</desc>";

const Alt kAlt{"T", "D"};

TEST(StackedBar, IsAsLongAsTheDrawingAndShowsTheSmallest) {
  EXPECT_EQ(stacked_bar({{3, "red"}, {0, "blue"}, {1, "green"}}, kAlt).html(),
            std::string(kOpening) +
                "<rect x=\"0\" y=\"3\" width=\"120\" height=\"10\" "
                "fill=\"red\"></rect>"
                "<rect x=\"120\" y=\"3\" width=\"40\" height=\"10\" "
                "fill=\"green\"></rect></svg>");
  EXPECT_TRUE(holds(stacked_bar({{1e6, "red"}, {1, "green"}}, kAlt).html(), "width=\"2.9\""));
  EXPECT_EQ(stacked_bar({}, kAlt).html(), std::string(kOpening) + "</svg>");
}

std::size_t times(const std::string& html, const std::string& part) {
  std::size_t count = 0;
  for (auto at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++count;
  return count;
}

TEST(ShareBar, IsAsLongAsItsShareAndParts) {
  const std::string html = share_bar({{3, "red"}, {0, "blue"}, {1, "green"}}, 8, 200, kAlt).html();

  EXPECT_TRUE(holds(html, "<rect x=\"0\" y=\"2\" width=\"74\"")) << html;
  EXPECT_TRUE(holds(html, "<rect x=\"75\" y=\"2\" width=\"24\"")) << html;
  EXPECT_EQ(times(html, "<rect"), 2U);
  EXPECT_EQ(times(share_bar({{3, "red"}}, 0, 200, kAlt).html(), "<rect"), 0U);
}

TEST(ShareBar, WhatIsLongerIsCutAndEndsInAnArrow) {
  const std::string html =
      share_bar({{2, "red"}, {100, "green"}, {1, "blue"}}, 10, 100, kAlt).html();

  EXPECT_TRUE(holds(html, "<rect x=\"0\" y=\"2\" width=\"19\"")) << html;
  EXPECT_TRUE(holds(html, "<rect x=\"20\" y=\"2\" width=\"69\"")) << html;
  EXPECT_EQ(times(html, "<rect"), 2U);
  EXPECT_TRUE(holds(html, "<path d=\"M100 8 L91 4 L91 12 Z\" fill=\"green\"")) << html;
}

TEST(Symbols, DifferInShapeAndNotInColourAlone) {
  std::set<std::string> shapes;
  for (std::size_t series = 0; series < 6; ++series) {
    std::string html = series_symbol(series).html();
    const std::string colour = series_colour(series);
    for (auto at = html.find(colour); at != std::string::npos; at = html.find(colour))
      html.erase(at, colour.size());
    shapes.insert(html);
  }

  EXPECT_EQ(shapes.size(), 6U);
  EXPECT_EQ(series_symbol(6).html(), series_symbol(0).html());
}

TEST(Dots, HaveALineAPowerOfTenAndAnIntervalAndAMarkEach) {
  EXPECT_EQ(dots_mark({{{0, 10, 1, 10}, {1, 100, 100, 100}}, 1, 100}, kAlt).html(),
            "<svg viewBox=\"0 0 260 22\" width=\"260\" height=\"22\" role=\"img\">"
            "<title>T</title><desc>D</desc>"
            "<path d=\"M6 0v22M130 0v22M254 0v22\" stroke=\"currentColor\" "
            "stroke-width=\"1\" stroke-opacity=\"0.2\"></path>"
            "<line x1=\"6\" y1=\"11\" x2=\"130\" y2=\"11\" stroke=\"#3f7fc0\" "
            "stroke-width=\"2\"></line>"
            "<circle cx=\"130\" cy=\"11\" r=\"4\" fill=\"#3f7fc0\"></circle>"
            "<line x1=\"254\" y1=\"11\" x2=\"255\" y2=\"11\" stroke=\"#d5541a\" "
            "stroke-width=\"2\"></line>"
            "<rect x=\"250.5\" y=\"7.5\" width=\"7\" height=\"7\" fill=\"#d5541a\"></rect>"
            "</svg>");
}

TEST(Dots, WhatLiesOutsideStaysInTheDrawing) {
  const std::string html = dots_mark({{{0, 1e9, 1e-9, 1e9}}, 1, 100}, kAlt).html();
  EXPECT_TRUE(holds(html, "cx=\"254\""));
  EXPECT_TRUE(holds(html, "<line x1=\"6\" y1=\"11\" x2=\"254\""));
}

TEST(Dots, ThatLieCloseStandAboveEachOther) {
  const std::string html =
      dots_mark({{{0, 10, 10, 10}, {0, 10.1, 10.1, 10.1}, {0, 10.2, 10.2, 10.2}}, 1, 100}, kAlt)
          .html();
  EXPECT_EQ(times(html, "cy=\"11\""), 1U) << html;
  EXPECT_EQ(times(html, "cy=\"5.5\""), 1U) << html;
  EXPECT_EQ(times(html, "cy=\"17\""), 1U) << html;
}

TEST(Axis, EndsAtTheLargestNumbers) {
  const std::string html = axis_mark({1e305, INFINITY, "ns"}).html();
  EXPECT_LT(html.size(), 2000U);
}

TEST(Axis, NamesThePowersInUnitsThatPeopleRead) {
  const std::string times_html = axis_mark({1, 1e7, "ns"}).html();
  for (const char* text : {">1 ns</text>", ">100 ns</text>", ">10 µs</text>", ">1 ms</text>"})
    EXPECT_TRUE(holds(times_html, text)) << times_html;

  const std::string counts = axis_mark({10, 1000, "instructions"}).html();
  for (const char* text : {">10</text>", ">100</text>", ">1000</text>"})
    EXPECT_TRUE(holds(counts, text)) << counts;
}

TEST(Strip, HasATickForEachValue) {
  const std::string html = strip({{10, 15, 20}, 10, 20, 12, 18, 15, "red"}, kAlt).html();

  EXPECT_EQ(html.find("<rect x=\"32\" y=\"1\" width=\"96\" height=\"14\""),
            std::string_view(kOpening).size());
  EXPECT_TRUE(holds(html, "<path d=\"M0 4v8M80 4v8M160 4v8\"")) << html;
}

TEST(Strip, EqualValuesStandInTheMiddle) {
  EXPECT_TRUE(holds(strip({{7, 7}, 7, 7, 7, 7, 7, "red"}, kAlt).html(), "x1=\"80\""));
}

TEST(RatioMark, OneIsInTheMiddleAndOppositesAreAsFar) {
  const std::string twice = ratio_mark({2, 2, 2, 0.02, 4, "red"}, kAlt).html();
  const std::string half = ratio_mark({0.5, 0.5, 0.5, 0.02, 4, "red"}, kAlt).html();

  EXPECT_TRUE(holds(twice, "cx=\"120\""));
  EXPECT_TRUE(holds(half, "cx=\"40\""));
  EXPECT_TRUE(holds(twice, "<line x1=\"80\" y1=\"0\""));
  EXPECT_FALSE(holds(twice, "<path"));
}

TEST(RatioMark, ALongScaleHasALineAtEachPowerOfTen) {
  EXPECT_EQ(ratio_mark({10, 10, 10, 0, 100, "red"}, kAlt).html(),
            std::string(kOpening) +
                "<rect x=\"80\" y=\"0\" width=\"0\" height=\"16\" fill=\"#808080\" "
                "fill-opacity=\"0.25\"></rect>"
                "<line x1=\"80\" y1=\"0\" x2=\"80\" y2=\"16\" stroke=\"currentColor\" "
                "stroke-width=\"1\" stroke-opacity=\"0.7\"></line>"
                "<path d=\"M40 0v16M120 0v16\" stroke=\"currentColor\" "
                "stroke-width=\"1\" stroke-opacity=\"0.2\"></path>"
                "<line x1=\"120\" y1=\"8\" x2=\"121\" y2=\"8\" stroke=\"red\" "
                "stroke-width=\"3\"></line>"
                "<circle cx=\"120\" cy=\"8\" r=\"4\" fill=\"red\"></circle></svg>");
}

TEST(RatioMark, WhatLiesOutsideEndsInAnArrow) {
  EXPECT_TRUE(holds(ratio_mark({1, 0.1, 1, 0.02, 4, "red"}, kAlt).html(), "<path d=\"M0 8 L6 4"));
  EXPECT_TRUE(holds(ratio_mark({1, 1, 9, 0.02, 4, "red"}, kAlt).html(), "<path d=\"M160 8 L154 4"));
}

Curves curves_of(std::vector<Curve> curves, double roof = 0, double floor = 0) {
  return {std::move(curves), roof, floor, "GB/s",
          [](double size) { return std::to_string(static_cast<int>(size)); }};
}

TEST(Drawing, WordsAreEscaped) {
  const std::string html =
      curves_mark(curves_of({{"</text><script>", {{1, 1}}, 0}}), {"</title><script>", "</desc>"})
          .html();
  EXPECT_FALSE(holds(html, "<script>"));
  EXPECT_TRUE(holds(html, ">&lt;/text&gt;"));
  EXPECT_TRUE(holds(html, "<desc>&lt;/desc&gt;</desc>"));
}

TEST(Curves, HaveAMarkAPointAndANameBesideTheLast) {
  const std::string html =
      curves_mark(curves_of({{"a", {{1, 50}, {100, 100}}, 0}, {"b", {{10, 40}}, 1}}, 100), kAlt)
          .html();

  EXPECT_TRUE(holds(html, "<path d=\"M54 88 L262 37.2\" fill=\"none\" stroke=\"#3f7fc0\"")) << html;
  EXPECT_TRUE(holds(html, "<rect x=\"154.5\"")) << html;  // 10: between 1 and 100
  EXPECT_EQ(times(html, "stroke-dasharray"), 1U);
  for (const char* text : {">a</text>", ">b</text>", ">100</text>", ">10</text>", ">GB/s</text>",
                           ">roof 100</text>", ">1</text>"})
    EXPECT_TRUE(holds(html, text)) << text;
}

TEST(Curves, WithACommonRatioOfSizeToValueLieAlongTheFloor) {
  const std::string html =
      curves_mark(curves_of({{"a", {{20, 10}, {2000, 1000}}, 0, true}}, 0, 2), kAlt).html();

  EXPECT_TRUE(holds(html,
                    "<path d=\"M54 206 L262 28.1\" fill=\"none\" stroke=\"#3f7fc0\" "
                    "stroke-width=\"2\" stroke-dasharray=\"3 3\""))
      << html;
  EXPECT_TRUE(holds(html,
                    "<line x1=\"54\" y1=\"206\" x2=\"262\" y2=\"28.1\" "
                    "stroke=\"currentColor\" stroke-dasharray=\"1 4\""))
      << html;
}

TEST(Curves, AFloorEndsWhereThePlaneDoes) {
  const std::string html =
      curves_mark(curves_of({{"a", {{1, 10}, {1000, 20}}, 0}}, 0, 1), kAlt).html();

  EXPECT_TRUE(holds(html, "<line x1=\"123.3\" y1=\"206\" x2=\"152.1\" y2=\"18\"")) << html;
}

TEST(Curves, NamesOfEqualCurvesStandApart) {
  const Curve same{"a", {{1, 50}}, 0};
  const std::string html = curves_mark(curves_of({same, same}), kAlt).html();
  const auto first = html.find("y=\"47.4\""), second = html.find("y=\"59.4\"");

  EXPECT_NE(first, std::string::npos) << html;
  EXPECT_NE(second, std::string::npos) << html;
  EXPECT_FALSE(holds(html, "stroke-dasharray"));
}

TEST(Curves, SizesBelowStandApartAndTheLargestIsThere) {
  Curve curve{"a", {}, 0};
  for (int i = 0; i < 23; ++i) curve.points.push_back({std::pow(2, i), 1});
  const std::string html = curves_mark(curves_of({curve}), kAlt).html();

  EXPECT_TRUE(holds(html, ">4194304</text>")) << html;
  EXPECT_GE(times(html, "y=\"220\""), 3U);
  EXPECT_LE(times(html, "y=\"220\""), 5U);
}

TEST(Curves, ValuesBesideArePowersOfTen) {
  const std::string html = curves_mark(curves_of({{"a", {{1, 0.7}, {10, 4123}}, 0}}), kAlt).html();
  for (const char* text : {">0.1</text>", ">1</text>", ">10</text>", ">100</text>", ">1000</text>"})
    EXPECT_TRUE(holds(html, text)) << text;
}

TEST(Curves, WithoutPointsAreNoDrawing) {
  EXPECT_TRUE(curves_mark(curves_of({{"a", {}, 0}}, 100), kAlt).empty());
}

TEST(Curves, LongNamesMakeADrawingWider) {
  const auto width = [](const std::string& name) {
    const std::string html = curves_mark(curves_of({{name, {{1, 1}}, 0}}), kAlt).html();
    return html.substr(html.find("width="), 11);
  };
  EXPECT_EQ(width("short"), "width=\"388\"");
  EXPECT_EQ(width(std::string(40, 'x')), "width=\"520\"");
}

}  // namespace
}  // namespace assay::page
