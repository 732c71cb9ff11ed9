// Drawings of fixed size, some 20 elements each.
#include "harness/page/markup/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

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

/// The plane of curves: names stand at its right, values at its left, sizes below.
class Plane {
 public:
  static constexpr double kLeft = 46, kRight = 430, kTop = 14, kBottom = 206;
  static constexpr double kWide = 640, kHigh = 228;

  explicit Plane(const Curves& curves) : top_(curves.roof) {
    for (const Curve& curve : curves.curves) {
      for (const Curve::Point& point : curve.points) {
        top_ = std::max(top_, point.value);
        from_ = from_ == 0 ? point.size : std::min(from_, point.size);
        to_ = std::max(to_, point.size);
      }
    }
    top_ *= 1.05;
  }

  double x(double size) const {
    if (!(to_ > from_)) return (kLeft + kRight) / 2;
    return kLeft + 6 + std::log(size / from_) / std::log(to_ / from_) * (kRight - kLeft - 12);
  }
  double y(double value) const { return kBottom - value / top_ * (kBottom - kTop); }

 private:
  double from_ = 0, to_ = 0, top_;
};

Markup words(double x, double y, const std::string& text, const char* anchor) {
  return element("text",
                 {{"x", at(x)},
                  {"y", at(y)},
                  {"font-size", "10"},
                  {"fill", "currentColor"},
                  {"text-anchor", anchor}},
                 text);
}

/// At most so many sizes, the least and the largest among them, are written below.
Markup sizes_below(const Plane& plane, const Curves& curves) {
  constexpr std::size_t kMost = 6;
  std::set<double> all;
  for (const Curve& curve : curves.curves) {
    for (const Curve::Point& point : curve.points) all.insert(point.size);
  }
  const std::vector<double> sizes(all.begin(), all.end());
  const std::size_t step = (sizes.size() + kMost - 2) / (kMost - 1);
  Markup content;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t from_end = sizes.size() - 1 - i;
    if (from_end % std::max(step, std::size_t{1}) != 0) continue;
    content += line({plane.x(sizes[i]), Plane::kTop, plane.x(sizes[i]), Plane::kBottom},
                    "currentColor", "1", "0.15");
    content += words(plane.x(sizes[i]), Plane::kBottom + 14, curves.size_text(sizes[i]), "middle");
  }
  return content;
}

Markup drawn(const Plane& plane, const Curve& curve) {
  std::string path;
  Markup marks;
  for (const Curve::Point& point : curve.points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : " L", at(plane.x(point.size)),
                        at(plane.y(point.value)));
    marks += circle(plane.x(point.size), plane.y(point.value), curve.colour);
  }
  return element("path",
                 {{"d", path}, {"fill", "none"}, {"stroke", curve.colour}, {"stroke-width", "2"}}) +
         marks;
}

/// From top to bottom beside the last points, a line apart, with a thread to each.
Markup names_beside(const Plane& plane, const std::vector<Curve>& curves) {
  constexpr double kApart = 12;
  std::vector<const Curve*> by_height;
  for (const Curve& curve : curves) by_height.push_back(&curve);
  std::ranges::stable_sort(by_height, std::greater{},
                           [](const Curve* curve) { return curve->points.back().value; });
  Markup content;
  double y = 0;
  for (const Curve* curve : by_height) {
    const Curve::Point& last = curve->points.back();
    y = std::max(y + kApart, plane.y(last.value));
    content += line({plane.x(last.size) + 5, plane.y(last.value), Plane::kRight + 6, y},
                    curve->colour, "1", "0.6");
    content += words(Plane::kRight + 10, y + 3, curve->name, "start");
  }
  return content;
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

Markup curves_mark(const Curves& curves, const Alt& alt) {
  Curves shown = curves;
  std::erase_if(shown.curves, [](const Curve& curve) { return curve.points.empty(); });
  const Plane plane(shown);
  Markup content = sizes_below(plane, shown);
  content += line({Plane::kLeft, Plane::kBottom, Plane::kRight, Plane::kBottom}, "currentColor");
  content += words(Plane::kLeft - 6, Plane::kBottom + 3, "0", "end");
  if (shown.roof > 0) {
    const double y = plane.y(shown.roof);
    content += element("line", {{"x1", at(Plane::kLeft)},
                                {"y1", at(y)},
                                {"x2", at(Plane::kRight)},
                                {"y2", at(y)},
                                {"stroke", "currentColor"},
                                {"stroke-dasharray", "5 4"}});
    content += words(Plane::kLeft - 6, y + 3, fmt::format("{:.0f}", shown.roof), "end");
  }
  content += words(Plane::kLeft - 6, Plane::kTop - 4, shown.unit, "end");
  for (const Curve& curve : shown.curves) content += drawn(plane, curve);
  content += names_beside(plane, shown.curves);
  const double below = 12 * static_cast<double>(shown.curves.size());
  return drawing(alt, content, Plane::kWide, std::max(Plane::kHigh, Plane::kTop + below + 100));
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
