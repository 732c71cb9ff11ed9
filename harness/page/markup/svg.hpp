// Small drawings that stand in tables: presentation attributes only, so that they need no style
// sheet, and colours that can be told apart by everyone and on light and dark ground.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup/markup.hpp"

namespace assay::page {

/// Each has at least three times the contrast of white and of near-black.
namespace colour {
inline constexpr const char* kGood = "#0a8a66";
inline constexpr const char* kBad = "#d5541a";
inline constexpr const char* kWaived = "#3f7fc0";
inline constexpr const char* kQuiet = "#808080";
inline constexpr const char* kOdd = "#a9750b";
/// One a subject, and again from the first.
inline constexpr const char* kSeries[] = {"#3f7fc0", "#d5541a", "#0a8a66",
                                          "#a85a9e", "#a9750b", "#6b6fd6"};
}  // namespace colour

const char* series_colour(std::size_t index);

struct Segment {
  double amount;
  const char* colour;
  std::string text = {};  ///< what it is, for whoever points at it
};

/// What is said to those who do not see the drawing.
struct Alt {
  std::string title;
  std::string description;
};

/// Amounts beside each other, together as long as the drawing; what is not zero can be seen.
Markup stacked_bar(const std::vector<Segment>& segments, const Alt& alt);
/// The same, but as long as their share of `whole`, on a drawing of that width; what is longer is
/// cut, and ends in an arrow.
Markup share_bar(const std::vector<Segment>& segments, double whole, double width, const Alt& alt);
/// A square of that colour, for legends.
Markup colour_symbol(const char* colour);

/// The mark of a series, for legends: by colour and by shape.
Markup series_symbol(std::size_t series);

/// A value with its interval.
struct Dot {
  std::size_t series;
  double value, low, high;  ///< above zero
  std::string text = {};    ///< what it is, for whoever points at it
};

/// Dots on one logarithmic scale between `from` and `to`, which are powers of ten; a faint line at
/// each power. Those that lie close stand above each other.
struct Dots {
  std::vector<Dot> dots;
  double from, to;
};
Markup dots_mark(const Dots& dots, const Alt& alt);

/// The powers of ten of such a scale, to stand above the drawings.
struct Axis {
  double from, to;
  std::string unit;  ///< `ns` is written as µs, ms and s as well
};
Markup axis_mark(const Axis& axis);

/// Values over sizes.
struct Curve {
  struct Point {
    double size, value;     ///< above zero
    std::string text = {};  ///< what it is, for whoever points at it
  };
  std::string name;
  std::vector<Point> points;
  std::size_t series;
  bool dashed = false;
};

/// Both on logarithmic scales; a dashed line at `roof`, unless it is 0, and a dotted one where size
/// over value is `floor`, unless that is 0. Names stand beside the last points.
struct Curves {
  std::vector<Curve> curves;
  double roof;
  double floor;
  std::string unit;                       ///< of the values
  std::string (*size_text)(double size);  ///< for the marks below
};
Markup curves_mark(const Curves& curves, const Alt& alt);

/// A tick for each value between `from` and `to`, the interval as a band, the centre as a line.
struct Strip {
  std::vector<double> values;
  double from, to, low, high, centre;
  const char* colour;
};
Markup strip(const Strip& strip, const Alt& alt);

/// A ratio with its interval on a logarithmic scale around 1, `most` at either end, with a faint
/// line at each power of ten; the band of `margin` around 1 is what counts as the same. What lies
/// outside ends in an arrow.
struct Ratio {
  double value, low, high, margin, most;
  const char* colour;
};
Markup ratio_mark(const Ratio& ratio, const Alt& alt);

}  // namespace assay::page
