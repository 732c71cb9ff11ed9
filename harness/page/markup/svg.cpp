// Drawings of fixed size, some 20 elements each.
#include "harness/page/markup/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace assay::page {
namespace {

constexpr double kWidth = 160;
constexpr double kHeight = 16;

std::string at(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

Markup drawing(const Alt& alt, const Markup& content, double width = kWidth,
               double height = kHeight) {
  return element("svg",
                 {{"viewBox", fmt::format("0 0 {} {}", at(width), at(height))},
                  {"width", at(width)},
                  {"height", at(height)},
                  {"role", "img"}},
                 element("title", alt.title) + element("desc", alt.description) + content);
}

struct Box {
  double x, y, width, height;
};

Markup box(const Box& place, const char* fill, const char* opacity = "1") {
  return element("rect", {{"x", at(place.x)},
                          {"y", at(place.y)},
                          {"width", at(place.width)},
                          {"height", at(place.height)},
                          {"fill", fill},
                          {"fill-opacity", opacity}});
}

struct Line {
  double x1, y1, x2, y2;
};

Markup line(const Line& place, const char* stroke, const char* width = "1",
            const char* opacity = "1") {
  return element("line", {{"x1", at(place.x1)},
                          {"y1", at(place.y1)},
                          {"x2", at(place.x2)},
                          {"y2", at(place.y2)},
                          {"stroke", stroke},
                          {"stroke-width", width},
                          {"stroke-opacity", opacity}});
}

Markup arrow(double tip, double base, const char* fill) {
  return element("path", {{"d", fmt::format("M{} 8 L{} 4 L{} 12 Z", at(tip), at(base), at(base))},
                          {"fill", fill}});
}

Markup circle(double x, double y, const char* fill) {
  return element("circle", {{"cx", at(x)}, {"cy", at(y)}, {"r", "4"}, {"fill", fill}});
}

/// Beside a mark at `x`, on the side that has room.
Markup label(double x, double y, const std::string& text, bool on_the_left) {
  return element("text",
                 {{"x", at(on_the_left ? x - 8 : x + 8)},
                  {"y", at(y)},
                  {"font-size", "10"},
                  {"fill", "currentColor"},
                  {"text-anchor", on_the_left ? "end" : "start"}},
                 text);
}

/// Where `value` lies between `from` and `to`, along the drawing.
double along(double value, double from, double to) {
  if (!(to > from)) return kWidth / 2;
  return std::clamp((value - from) / (to - from), 0.0, 1.0) * kWidth;
}

}  // namespace

const char* series_colour(std::size_t index) {
  return colour::kSeries[index % std::size(colour::kSeries)];
}

Markup stacked_bar(const std::vector<Segment>& segments, const Alt& alt) {
  constexpr double kLeast = 3;
  double all = 0, shown = 0;
  for (const Segment& segment : segments) all += segment.amount;
  for (const Segment& segment : segments) {
    if (segment.amount > 0) shown += std::max(segment.amount / all * kWidth, kLeast);
  }
  Markup content;
  double x = 0;
  for (const Segment& segment : segments) {
    if (segment.amount <= 0) continue;
    const double width = std::max(segment.amount / all * kWidth, kLeast) * kWidth / shown;
    content += box({x, 3, width, 10}, segment.colour);
    x += width;
  }
  return drawing(alt, content);
}

Markup ladder_mark(const Ladder& ladder, const Alt& alt) {
  constexpr double kLong = 260, kLane = 13;
  const double height = kLane * static_cast<double>(ladder.rungs.size()) + 3;
  const double decades = std::log10(ladder.to / ladder.from);
  const auto x = [&](double value) {
    return std::clamp(std::log10(value / ladder.from) / decades, 0.0, 1.0) * (kLong - 8) + 4;
  };
  Markup content;
  for (double power = ladder.from; power <= ladder.to * 1.01; power *= 10) {
    content += line({x(power), 0, x(power), height}, "currentColor", "1", "0.2");
  }
  double y = 8;
  for (const Rung& rung : ladder.rungs) {
    const double centre = x(rung.value);
    content += line({x(rung.low), y, std::max(x(rung.high), x(rung.low) + 1), y}, rung.colour, "3");
    content += circle(centre, y, rung.colour);
    // Behind the interval, or the name would stand on it.
    const bool on_the_left = centre > kLong / 2;
    content += label(x(on_the_left ? rung.low : rung.high), y + 3, rung.name, on_the_left);
    y += kLane;
  }
  return drawing(alt, content, kLong, height);
}

Markup strip(const Strip& strip, const Alt& alt) {
  const auto x = [&](double value) { return along(value, strip.from, strip.to); };
  Markup content;
  if (strip.low < strip.high) {
    content += box({x(strip.low), 1, std::max(x(strip.high) - x(strip.low), 1.0), 14}, strip.colour,
                   "0.25");
  }
  for (const double value : strip.values) {
    content += line({x(value), 4, x(value), 12}, "currentColor", "1.5", "0.6");
  }
  content += line({x(strip.centre), 0, x(strip.centre), 16}, strip.colour, "2.5");
  return drawing(alt, content);
}

Markup ratio_mark(const Ratio& ratio, const Alt& alt) {
  const double most = std::log(ratio.most);
  const auto x = [most](double value) { return along(std::log(value), -most, most); };
  const double same_low = x(1 / (1 + ratio.margin)), same_high = x(1 + ratio.margin);
  Markup content = box({same_low, 0, same_high - same_low, 16}, colour::kQuiet, "0.25");
  content += line({x(1), 0, x(1), 16}, "currentColor", "1", "0.7");
  content +=
      line({x(ratio.low), 8, std::max(x(ratio.high), x(ratio.low) + 1), 8}, ratio.colour, "3");
  if (ratio.low < 1 / ratio.most) content += arrow(0, 6, ratio.colour);
  if (ratio.high > ratio.most) content += arrow(kWidth, kWidth - 6, ratio.colour);
  content += circle(x(ratio.value), 8, ratio.colour);
  return drawing(alt, content);
}

}  // namespace assay::page
