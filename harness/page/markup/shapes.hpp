// Shapes of drawings, with presentation attributes and coordinates rounded to one decimal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/page/markup/svg.hpp"

namespace assay::page {

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
