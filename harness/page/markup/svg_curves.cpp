// Draws curves as functions of size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "harness/page/markup/shapes.hpp"

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

}  // namespace assay::page
