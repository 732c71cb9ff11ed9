// Builds SVG elements, and of about 20 of them each: bars, strips and ratios of fixed size.
#include "harness/page/markup/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace assay::page {
namespace {

/// Omits the attribute for opaque shapes, because a page has thousands of them.
std::vector<Attribute> with_opacity(std::vector<Attribute> attributes, const Attribute& opacity) {
  if (opacity.value != "1") attributes.push_back(opacity);
  return attributes;
}

}  // namespace

std::string at(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

Markup drawing(const Alt& alt, const Markup& content, double width, double height) {
  return element("svg",
                 {{"viewBox", fmt::format("0 0 {} {}", at(width), at(height))},
                  {"width", at(width)},
                  {"height", at(height)},
                  {"role", "img"}},
                 element("title", alt.title) + element("desc", alt.description) + content);
}

Markup box(const Box& place, const char* fill, const char* opacity) {
  return element("rect", with_opacity({{"x", at(place.x)},
                                       {"y", at(place.y)},
                                       {"width", at(place.width)},
                                       {"height", at(place.height)},
                                       {"fill", fill}},
                                      {"fill-opacity", opacity}));
}

Markup line(const Line& place, const char* stroke, const char* width, const char* opacity) {
  return element("line", with_opacity({{"x1", at(place.x1)},
                                       {"y1", at(place.y1)},
                                       {"x2", at(place.x2)},
                                       {"y2", at(place.y2)},
                                       {"stroke", stroke},
                                       {"stroke-width", width}},
                                      {"stroke-opacity", opacity}));
}

Markup ticks(const std::vector<double>& places, const Tick& tick) {
  if (places.empty()) return {};
  std::string path;
  for (const double x : places)
    path += fmt::format("M{} {}v{}", at(x), at(tick.top), at(tick.length));
  return element(
      "path", with_opacity({{"d", path}, {"stroke", "currentColor"}, {"stroke-width", tick.width}},
                           {"stroke-opacity", tick.opacity}));
}

Markup circle(double x, double y, const char* fill) {
  return element("circle", {{"cx", at(x)}, {"cy", at(y)}, {"r", "4"}, {"fill", fill}});
}

Markup symbol(double x, double y, std::size_t series) {
  const char* fill = series_colour(series);
  const auto path = [fill](const std::string& points) {
    return element("path", {{"d", points}, {"fill", fill}});
  };
  switch (series % 6) {
    case 0:
      return circle(x, y, fill);
    case 1:
      return box({x - 3.5, y - 3.5, 7, 7}, fill);
    case 2:
      return path(fmt::format("M{0} {2} L{1} {3} L{0} {4} L{5} {3} Z", at(x), at(x + 5), at(y - 5),
                              at(y), at(y + 5), at(x - 5)));
    case 3:
      return path(fmt::format("M{} {} L{} {} L{} {} Z", at(x), at(y - 4.5), at(x + 4.8), at(y + 4),
                              at(x - 4.8), at(y + 4)));
    case 4:
      return element("circle", {{"cx", at(x)},
                                {"cy", at(y)},
                                {"r", "3.5"},
                                {"fill", "none"},
                                {"stroke", fill},
                                {"stroke-width", "2"}});
    default:
      return line({x - 4, y, x + 4, y}, fill, "2.5") + line({x, y - 4, x, y + 4}, fill, "2.5");
  }
}

Markup titled(const Markup& mark, const std::string& text) {
  return text.empty() ? mark : element("g", element("title", text) + mark);
}

Markup words(double x, double y, const std::string& text, const char* anchor) {
  return element("text",
                 {{"x", at(x)},
                  {"y", at(y)},
                  {"font-size", "10"},
                  {"fill", "currentColor"},
                  {"text-anchor", anchor}},
                 text);
}

namespace {

Markup arrow(double tip, double base, const char* fill) {
  return element("path", {{"d", fmt::format("M{} 8 L{} 4 L{} 12 Z", at(tip), at(base), at(base))},
                          {"fill", fill}});
}

/// The horizontal position of `value` in the range from `from` to `to`.
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
    content += titled(box({x, 3, width, 10}, segment.colour), segment.text);
    x += width;
  }
  return drawing(alt, content);
}

Markup share_bar(const std::vector<Segment>& segments, double whole, double width, const Alt& alt) {
  constexpr double kLeast = 2, kArrow = 10;
  double all = 0;
  for (const Segment& segment : segments) all += segment.amount;
  const double end = all > whole ? width - kArrow : width;
  Markup content;
  double x = 0;
  const char* last = colour::kQuiet;
  for (const Segment& segment : segments) {
    if (segment.amount <= 0 || !(whole > 0) || x >= end) continue;
    const double length = std::min(std::max(segment.amount / whole * width, kLeast), end - x);
    // A gap separates neighbours whose colours may look alike.
    content += titled(box({x, 2, std::max(length - 1, 1.0), 12}, segment.colour), segment.text);
    x += length;
    last = segment.colour;
  }
  if (all > whole) content += arrow(width, width - kArrow + 1, last);
  return drawing(alt, content, width);
}

Markup colour_symbol(const char* colour) {
  return drawing({"", ""}, box({1, 3, 10, 10}, colour), 12);
}

Markup strip(const Strip& strip, const Alt& alt) {
  const auto x = [&](double value) { return along(value, strip.from, strip.to); };
  Markup content;
  if (strip.low < strip.high) {
    content += box({x(strip.low), 1, std::max(x(strip.high) - x(strip.low), 1.0), 14}, strip.colour,
                   "0.25");
  }
  std::vector<double> places;
  for (const double value : strip.values) places.push_back(x(value));
  content += ticks(places, {4, 8, "1.5", "0.6"});
  content += line({x(strip.centre), 0, x(strip.centre), 16}, strip.colour, "2.5");
  return drawing(alt, content);
}

Markup ratio_mark(const Ratio& ratio, const Alt& alt) {
  const double most = std::log(ratio.most);
  const auto x = [most](double value) { return along(std::log(value), -most, most); };
  const double same_low = x(1 / (1 + ratio.margin)), same_high = x(1 + ratio.margin);
  Markup content = box({same_low, 0, same_high - same_low, 16}, colour::kQuiet, "0.25");
  content += line({x(1), 0, x(1), 16}, "currentColor", "1", "0.7");
  std::vector<double> powers;
  for (double power = 10; power < ratio.most * 0.99; power *= 10) {
    for (const double value : {1 / power, power}) powers.push_back(x(value));
  }
  content += ticks(powers, {0, 16, "1", "0.2"});
  content +=
      line({x(ratio.low), 8, std::max(x(ratio.high), x(ratio.low) + 1), 8}, ratio.colour, "3");
  if (ratio.low < 1 / ratio.most) content += arrow(0, 6, ratio.colour);
  if (ratio.high > ratio.most) content += arrow(kWidth, kWidth - 6, ratio.colour);
  content += circle(x(ratio.value), 8, ratio.colour);
  return drawing(alt, content);
}

}  // namespace assay::page
