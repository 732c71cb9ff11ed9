// Draws curves as functions of size, and values on a logarithmic scale with their legend.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "harness/page/markup/svg.hpp"

namespace assay::page {
namespace {

/// The range of one axis.
struct Extent {
  double from = std::numeric_limits<double>::infinity(), to = 0;

  void add(double value) {
    if (!(value > 0)) return;
    from = std::min(from, value);
    to = std::max(to, value);
  }
  /// Maps to 0 … 1.
  double share(double value) const {
    return to > from ? std::log(value / from) / std::log(to / from) : 0.5;
  }
};

/// The plot area: names to its right, values to its left, sizes below.
class Plane {
 public:
  static constexpr double kLeft = 46, kRight = 270, kTop = 18, kBottom = 206;
  static constexpr double kHigh = 228;

  explicit Plane(const Curves& curves) {
    values_.add(curves.roof);
    for (const Curve& curve : curves.curves) {
      for (const Curve::Point& point : curve.points) {
        sizes_.add(point.size);
        values_.add(point.value);
      }
    }
    values_.from = std::pow(10, std::floor(std::log10(values_.from)));
    values_.to = std::min(values_.to * 1.3, std::numeric_limits<double>::max());
  }

  double x(double size) const { return kLeft + 8 + sizes_.share(size) * (kRight - kLeft - 16); }
  double y(double value) const { return kBottom - values_.share(value) * (kBottom - kTop); }
  const Extent& sizes() const { return sizes_; }
  const Extent& values() const { return values_; }

 private:
  Extent sizes_, values_;
};

Markup values_beside(const Plane& plane, const Curves& curves) {
  Markup content = words(Plane::kLeft - 6, Plane::kTop - 8, curves.unit, "end");
  for (double value = plane.values().from; value <= plane.values().to; value *= 10) {
    const double y = plane.y(value);
    content += line({Plane::kLeft, y, Plane::kRight, y}, "currentColor", "1",
                    value == plane.values().from ? "1" : "0.15");
    content += words(Plane::kLeft - 6, y + 3, fmt::format("{:g}", value), "end");
  }
  return content;
}

Markup dashed_line(const Line& place, const char* dashes) {
  return element("line", {{"x1", at(place.x1)},
                          {"y1", at(place.y1)},
                          {"x2", at(place.x2)},
                          {"y2", at(place.y2)},
                          {"stroke", "currentColor"},
                          {"stroke-dasharray", dashes}});
}

Markup roof_line(const Plane& plane, double roof) {
  const double y = plane.y(roof);
  return dashed_line({Plane::kLeft, y, Plane::kRight, y}, "5 4") +
         words(Plane::kLeft + 6, y - 5, fmt::format("roof {:.0f}", roof), "start");
}

/// The part of the line inside the plot area.
Markup floor_line(const Plane& plane, double floor) {
  const double from = std::max(plane.sizes().from, plane.values().from * floor);
  const double to = std::min(plane.sizes().to, plane.values().to * floor);
  if (!(to > from)) return {};
  return dashed_line({plane.x(from), plane.y(from / floor), plane.x(to), plane.y(to / floor)},
                     "1 4");
}

/// Labels sizes from the largest down, as far as there is space.
Markup sizes_below(const Plane& plane, const Curves& curves) {
  constexpr double kApart = 52;
  std::set<double, std::greater<>> all;
  for (const Curve& curve : curves.curves) {
    for (const Curve::Point& point : curve.points) all.insert(point.size);
  }
  Markup content;
  double last = std::numeric_limits<double>::infinity();
  for (const double size : all) {
    const double x = plane.x(size);
    if (last - x < kApart) continue;
    content += line({x, Plane::kTop, x, Plane::kBottom}, "currentColor", "1", "0.15");
    content += words(x, Plane::kBottom + 14, curves.size_text(size), "middle");
    last = x;
  }
  return content;
}

Markup drawn(const Plane& plane, const Curve& curve) {
  std::string path;
  Markup marks;
  for (const Curve::Point& point : curve.points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : " L", at(plane.x(point.size)),
                        at(plane.y(point.value)));
    marks += titled(symbol(plane.x(point.size), plane.y(point.value), curve.series), point.text);
  }
  std::vector<Attribute> attributes{{"d", path},
                                    {"fill", "none"},
                                    {"stroke", series_colour(curve.series)},
                                    {"stroke-width", "2"}};
  if (curve.dashed) attributes.push_back({"stroke-dasharray", "3 3"});
  return element("path", attributes, {}) + marks;
}

/// Names from top to bottom next to the last points, one line apart, connected to them.
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
                    series_colour(curve->series), "1", "0.6");
    content += words(Plane::kRight + 10, y + 3, curve->name, "start");
  }
  return content;
}

}  // namespace

Markup curves_mark(const Curves& curves, const Alt& alt) {
  Curves shown = curves;
  std::erase_if(shown.curves, [](const Curve& curve) { return curve.points.empty(); });
  if (shown.curves.empty()) return {};
  const Plane plane(shown);
  Markup content = sizes_below(plane, shown) + values_beside(plane, shown);
  if (shown.floor > 0) content += floor_line(plane, shown.floor);
  if (shown.roof > 0) content += roof_line(plane, shown.roof);
  for (const Curve& curve : shown.curves) content += drawn(plane, curve);
  content += names_beside(plane, shown.curves);
  // Three drawings fit side by side on a desktop, unless names are long.
  constexpr double kLeastWide = 388, kLetter = 6;
  std::size_t longest = 0;
  for (const Curve& curve : shown.curves) longest = std::max(longest, curve.name.size());
  const double wide =
      std::max(kLeastWide, Plane::kRight + 10 + kLetter * static_cast<double>(longest));
  const double below = 12 * static_cast<double>(shown.curves.size());
  return drawing(alt, content, wide, std::max(Plane::kHigh, Plane::kTop + below + 20));
}

// Values on a logarithmic scale.

namespace {

constexpr double kDotsWidth = 260;

double on_decades(double value, double from, double to) {
  const double share = std::log10(value / from) / std::log10(to / from);
  return std::clamp(share, 0.0, 1.0) * (kDotsWidth - 12) + 6;
}

std::vector<double> powers_between(double from, double to) {
  std::vector<double> powers;
  const double end = std::min(to * 1.01, std::numeric_limits<double>::max());
  for (double power = from; power <= end; power *= 10) powers.push_back(power);
  return powers;
}

Markup powers_of(double from, double to, double height, double top = 0) {
  std::vector<double> places;
  for (const double power : powers_between(from, to)) places.push_back(on_decades(power, from, to));
  return ticks(places, {top, height, "1", "0.2"});
}

/// `10 ns`, `1 µs`, `100`.
std::string power_text(double value, const std::string& unit) {
  if (unit != "ns") return value < 1 ? fmt::format("{:g}", value) : fmt::format("{:.0f}", value);
  constexpr std::array kUnits{"ns", "µs", "ms", "s"};
  std::size_t place = 0;
  for (; value >= 999 && place + 1 < kUnits.size(); ++place) value /= 1000;
  return fmt::format("{:g} {}", value, kUnits[place]);
}

}  // namespace

Markup series_symbol(std::size_t series) { return drawing({"", ""}, symbol(6, 8, series), 12); }

Markup dots_mark(const Dots& dots, const Alt& alt) {
  constexpr double kHigh = 22, kClose = 9;
  Markup content = powers_of(dots.from, dots.to, kHigh);
  std::vector<Dot> sorted = dots.dots;
  std::ranges::stable_sort(sorted, {}, &Dot::value);
  double last = -kClose, y = kHigh / 2;
  for (const Dot& dot : sorted) {
    const auto x = [&](double value) { return on_decades(value, dots.from, dots.to); };
    const bool is_close = x(dot.value) - last < kClose;
    y = !is_close ? kHigh / 2 : y < kHigh / 2 ? kHigh - 5 : 5.5;
    const Markup interval = line({x(dot.low), y, std::max(x(dot.high), x(dot.low) + 1), y},
                                 series_colour(dot.series), "2");
    content += titled(interval + symbol(x(dot.value), y, dot.series), dot.text);
    last = x(dot.value);
  }
  return drawing(alt, content, kDotsWidth, kHigh);
}

Markup axis_mark(const Axis& axis) {
  Markup content = powers_of(axis.from, axis.to, 4, 14);
  const std::vector<double> powers = powers_between(axis.from, axis.to);
  const std::size_t step = (powers.size() + 4) / 5;
  for (std::size_t i = 0; i < powers.size(); i += step) {
    const double x = on_decades(powers[i], axis.from, axis.to);
    const char* anchor = i == 0 ? "start" : i + step >= powers.size() ? "end" : "middle";
    content += words(i == 0                              ? 0
                     : anchor == std::string_view("end") ? kDotsWidth
                                                         : x,
                     10, power_text(powers[i], axis.unit), anchor);
  }
  return drawing({"Scale", fmt::format("{} to {}, logarithmic", power_text(axis.from, axis.unit),
                                       power_text(axis.to, axis.unit))},
                 content, kDotsWidth, 18);
}

}  // namespace assay::page
