// Drawings: the elements that they are made of.
#include "harness/page/markup/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::page {
namespace {

constexpr const char* kOpening =
    "<svg viewBox=\"0 0 160 16\" width=\"160\" height=\"16\" role=\"img\">"
    "<title>T</title><desc>D</desc>";

const Alt kAlt{"T", "D"};

TEST(StackedBar, IsAsLongAsTheDrawingAndShowsTheSmallest) {
  EXPECT_EQ(stacked_bar({{3, "red"}, {0, "blue"}, {1, "green"}}, kAlt).html(),
            std::string(kOpening) +
                "<rect x=\"0\" y=\"3\" width=\"120\" height=\"10\" fill=\"red\" "
                "fill-opacity=\"1\"></rect>"
                "<rect x=\"120\" y=\"3\" width=\"40\" height=\"10\" fill=\"green\" "
                "fill-opacity=\"1\"></rect></svg>");
  EXPECT_NE(stacked_bar({{1e6, "red"}, {1, "green"}}, kAlt).html().find("width=\"2.9\""),
            std::string::npos);
  EXPECT_EQ(stacked_bar({}, kAlt).html(), std::string(kOpening) + "</svg>");
}

TEST(Ladder, HasALineAPowerOfTenAndARungAName) {
  EXPECT_EQ(
      ladder_mark({{{"a", 10, 1, 10, "red"}, {"b", 100, 100, 100, "blue"}}, 1, 100}, kAlt).html(),
      "<svg viewBox=\"0 0 260 29\" width=\"260\" height=\"29\" role=\"img\">"
      "<title>T</title><desc>D</desc>"
      "<line x1=\"4\" y1=\"0\" x2=\"4\" y2=\"29\" stroke=\"currentColor\" stroke-width=\"1\" "
      "stroke-opacity=\"0.2\"></line>"
      "<line x1=\"130\" y1=\"0\" x2=\"130\" y2=\"29\" stroke=\"currentColor\" stroke-width=\"1\" "
      "stroke-opacity=\"0.2\"></line>"
      "<line x1=\"256\" y1=\"0\" x2=\"256\" y2=\"29\" stroke=\"currentColor\" stroke-width=\"1\" "
      "stroke-opacity=\"0.2\"></line>"
      "<line x1=\"4\" y1=\"8\" x2=\"130\" y2=\"8\" stroke=\"red\" stroke-width=\"3\" "
      "stroke-opacity=\"1\"></line>"
      "<circle cx=\"130\" cy=\"8\" r=\"4\" fill=\"red\"></circle>"
      "<text x=\"138\" y=\"11\" font-size=\"10\" fill=\"currentColor\" "
      "text-anchor=\"start\">a</text>"
      "<line x1=\"256\" y1=\"21\" x2=\"257\" y2=\"21\" stroke=\"blue\" stroke-width=\"3\" "
      "stroke-opacity=\"1\"></line>"
      "<circle cx=\"256\" cy=\"21\" r=\"4\" fill=\"blue\"></circle>"
      "<text x=\"248\" y=\"24\" font-size=\"10\" fill=\"currentColor\" "
      "text-anchor=\"end\">b</text></svg>");
}

TEST(Ladder, WhatLiesOutsideStaysInTheDrawing) {
  const std::string html = ladder_mark({{{"a", 1e9, 1e-9, 1e9, "red"}}, 1, 100}, kAlt).html();
  EXPECT_NE(html.find("cx=\"256\""), std::string::npos);
  EXPECT_NE(html.find("<line x1=\"4\" y1=\"8\" x2=\"256\""), std::string::npos);
}

TEST(Strip, HasATickForEachValue) {
  const std::string html = strip({{10, 15, 20}, 10, 20, 12, 18, 15, "red"}, kAlt).html();

  EXPECT_EQ(html.find("<rect x=\"32\" y=\"1\" width=\"96\" height=\"14\""),
            std::string_view(kOpening).size());
  for (const char* x : {"0", "80", "160"}) {
    EXPECT_NE(html.find("<line x1=\"" + std::string(x) + "\" y1=\"4\" x2=\"" + x + "\" y2=\"12\""),
              std::string::npos);
  }
}

TEST(Strip, EqualValuesStandInTheMiddle) {
  EXPECT_NE(strip({{7, 7}, 7, 7, 7, 7, 7, "red"}, kAlt).html().find("x1=\"80\""),
            std::string::npos);
}

TEST(RatioMark, OneIsInTheMiddleAndOppositesAreAsFar) {
  const std::string twice = ratio_mark({2, 2, 2, 0.02, 4, "red"}, kAlt).html();
  const std::string half = ratio_mark({0.5, 0.5, 0.5, 0.02, 4, "red"}, kAlt).html();

  EXPECT_NE(twice.find("cx=\"120\""), std::string::npos);
  EXPECT_NE(half.find("cx=\"40\""), std::string::npos);
  EXPECT_NE(twice.find("<line x1=\"80\" y1=\"0\""), std::string::npos);
  EXPECT_EQ(twice.find("<path"), std::string::npos);
}

TEST(RatioMark, WhatLiesOutsideEndsInAnArrow) {
  EXPECT_NE(ratio_mark({1, 0.1, 1, 0.02, 4, "red"}, kAlt).html().find("<path d=\"M0 8 L6 4"),
            std::string::npos);
  EXPECT_NE(ratio_mark({1, 1, 9, 0.02, 4, "red"}, kAlt).html().find("<path d=\"M160 8 L154 4"),
            std::string::npos);
}

TEST(Drawing, WordsAreEscaped) {
  const std::string html =
      ladder_mark({{{"</text><script>", 1, 1, 1, "red"}}, 1, 10}, {"</title><script>", "</desc>"})
          .html();
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find(">&lt;/text&gt;"), std::string::npos);
  EXPECT_NE(html.find("<desc>&lt;/desc&gt;</desc>"), std::string::npos);
}

std::string plain(double size) { return std::to_string(static_cast<int>(size)); }

TEST(Curves, HaveAMarkAPointAndANameBesideTheLast) {
  const std::string html =
      curves_mark(
          {{{"a", {{1, 50}, {100, 100}}, "red"}, {"b", {{10, 40}}, "blue"}}, 100, "GB/s", plain},
          kAlt)
          .html();

  EXPECT_NE(html.find("<path d=\"M52 114.6 L424 23.1\" fill=\"none\" stroke=\"red\""),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("cx=\"238\""), std::string::npos) << html;  // 10 lies between 1 and 100
  EXPECT_NE(html.find("stroke-dasharray"), std::string::npos);
  for (const char* text : {">a</text>", ">b</text>", ">100</text>", ">10</text>", ">GB/s</text>"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
}

TEST(Curves, NamesOfEqualCurvesStandApart) {
  const Curve same{"a", {{1, 50}}, "red"};
  const std::string html = curves_mark({{same, same}, 0, "x", plain}, kAlt).html();
  const auto first = html.find("y=\"26.1\""), second = html.find("y=\"38.1\"");

  EXPECT_NE(first, std::string::npos) << html;
  EXPECT_NE(second, std::string::npos) << html;
  EXPECT_EQ(html.find("stroke-dasharray"), std::string::npos);
}

TEST(Curves, SizesBelowAreAtMostSix) {
  Curve curve{"a", {}, "red"};
  for (int i = 0; i < 23; ++i) curve.points.push_back({std::pow(2, i), 1});
  const std::string html =
      curves_mark({{curve}, 0, "x", [](double) { return std::string("S"); }}, kAlt).html();
  std::size_t count = 0;
  for (auto at = html.find(">S<"); at != std::string::npos; at = html.find(">S<", at + 1)) ++count;

  EXPECT_GE(count, 4U);
  EXPECT_LE(count, 6U);
}

}  // namespace
}  // namespace assay::page
