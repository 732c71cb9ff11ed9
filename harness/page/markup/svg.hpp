// Small drawings for tables. They use presentation attributes only, so they need no style sheet,
// and colours that are distinguishable by everyone, on light and dark backgrounds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/page/markup/markup.hpp"

namespace assay::page {

/// Each colour has a contrast of at least 3:1 to white and to near-black.
namespace colour {
inline constexpr const char* kGood = "#0a8a66";
inline constexpr const char* kBad = "#d5541a";
inline constexpr const char* kWaived = "#3f7fc0";
inline constexpr const char* kQuiet = "#808080";
inline constexpr const char* kOdd = "#a9750b";
/// One per subject, repeating.
inline constexpr const char* kSeries[] = {"#3f7fc0", "#d5541a", "#0a8a66",
                                          "#a85a9e", "#a9750b", "#6b6fd6"};
}  // namespace colour

const char* series_colour(std::size_t index);

struct Segment {
  double amount;
  const char* colour;
  std::string text = {};  ///< tooltip
};

/// The alternative text of a drawing.
struct Alt {
  std::string title;
  std::string description;
};

/// Amounts side by side over the whole width; non-zero amounts are visible.
Markup stacked_bar(const std::vector<Segment>& segments, const Alt& alt);
/// The same, with a length proportional to their share of `whole`, on a drawing of that width; a
/// longer bar is cut and ends in an arrow.
Markup share_bar(const std::vector<Segment>& segments, double whole, double width, const Alt& alt);
/// A coloured square, for legends.
Markup colour_symbol(const char* colour);

/// The mark of a series, for legends: colour and shape.
Markup series_symbol(std::size_t series);

/// A value with its interval.
struct Dot {
  std::size_t series;
  double value, low, high;  ///< positive
  std::string text = {};    ///< tooltip
};

/// Dots on a logarithmic scale between `from` and `to`, which are powers of ten, with a faint line
/// at each power. Dots that are close are stacked.
struct Dots {
  std::vector<Dot> dots;
  double from, to;
};
Markup dots_mark(const Dots& dots, const Alt& alt);

/// The labels of such a scale at the powers of ten, to be shown above the drawings.
struct Axis {
  double from, to;
  std::string unit;  ///< `ns` is also shown as µs, ms and s
};
Markup axis_mark(const Axis& axis);

/// Values as a function of size.
struct Curve {
  struct Point {
    double size, value;     ///< positive
    std::string text = {};  ///< tooltip
  };
  std::string name;
  std::vector<Point> points;
  std::size_t series;
  bool dashed = false;
};

/// Logarithmic on both axes; a dashed line at `roof` and a dotted line where size divided by value
/// is `floor`, unless these are 0. Names are next to the last points.
struct Curves {
  std::vector<Curve> curves;
  double roof;
  double floor;
  std::string unit;                       ///< the unit of the values
  std::string (*size_text)(double size);  ///< for the labels on the axis
};
Markup curves_mark(const Curves& curves, const Alt& alt);

/// A tick for each value between `from` and `to`; the interval as a band, the centre as a line.
struct Strip {
  std::vector<double> values;
  double from, to, low, high, centre;
  const char* colour;
};
Markup strip(const Strip& strip, const Alt& alt);

/// A ratio with its interval on a logarithmic scale around 1, from 1/`most` to `most`, with a faint
/// line at each power of ten; the band of `margin` around 1 counts as equal. Values outside the
/// scale end in an arrow.
struct Ratio {
  double value, low, high, margin, most;
  const char* colour;
};
Markup ratio_mark(const Ratio& ratio, const Alt& alt);

// Shapes of drawings, with presentation attributes and coordinates rounded to one decimal.

inline constexpr double kWidth = 160;
inline constexpr double kHeight = 16;

/// Formats a coordinate.
std::string at(double value);

Markup drawing(const Alt& alt, const Markup& content, double width = kWidth,
               double height = kHeight);

struct Box {
  double x, y, width, height;
};
Markup box(const Box& place, const char* fill, const char* opacity = "1");

struct Line {
  double x1, y1, x2, y2;
};
Markup line(const Line& place, const char* stroke, const char* width = "1",
            const char* opacity = "1");

/// Vertical lines of one style, written as a single element.
struct Tick {
  double top, length;
  const char* width;
  const char* opacity;
};
Markup ticks(const std::vector<double>& places, const Tick& tick);

Markup circle(double x, double y, const char* fill);

/// The mark of a series: one of six shapes, so that colour is not the only distinction.
Markup symbol(double x, double y, std::size_t series);

/// Adds a text that browsers show as a tooltip; unchanged if the text is empty.
Markup titled(const Markup& mark, const std::string& text);

/// `anchor`: `start`, `middle` or `end`.
Markup words(double x, double y, const std::string& text, const char* anchor);

}  // namespace assay::page
