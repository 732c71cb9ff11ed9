// Drawings of fixed size, some 20 elements each.
#include "harness/page/svg.hpp"

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

Markup drawing(const Alt& alt, const Markup& content) {
  return element("svg",
                 {{"viewBox", fmt::format("0 0 {} {}", kWidth, kHeight)},
                  {"width", at(kWidth)},
                  {"height", at(kHeight)},
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

Markup bar(const Bar& bar, const Alt& alt) {
  const double end = std::max(along(bar.value, 0, bar.full), 1.0);
  Markup content = box({0, 3, end, 10}, bar.colour);
  if (bar.low < bar.high) {
    const double low = along(bar.low, 0, bar.full), high = along(bar.high, 0, bar.full);
    content += line({low, 8, std::max(high, low + 1), 8}, "currentColor", "2");
  }
  return drawing(alt, content);
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
  content += element("circle",
                     {{"cx", at(x(ratio.value))}, {"cy", "8"}, {"r", "4"}, {"fill", ratio.colour}});
  return drawing(alt, content);
}

}  // namespace assay::page
