// Curves over sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "harness/page/markup/shapes.hpp"

namespace assay::page {

namespace {

/// The plane of curves: names stand at its right, values at its left, sizes below.
class Plane {
 public:
  static constexpr double kLeft = 46, kRight = 430, kTop = 18, kBottom = 226;
  static constexpr double kWide = 760, kHigh = 248;

  explicit Plane(const Curves& curves) : top_(curves.roof) {
    for (const Curve& curve : curves.curves) {
      for (const Curve::Point& point : curve.points) {
        top_ = std::max(top_, point.value);
        from_ = from_ == 0 ? point.size : std::min(from_, point.size);
        to_ = std::max(to_, point.size);
      }
    }
    top_ *= 1.08;
  }

  double x(double size) const {
    if (!(to_ > from_)) return (kLeft + kRight) / 2;
    return kLeft + 6 + std::log(size / from_) / std::log(to_ / from_) * (kRight - kLeft - 12);
  }
  double y(double value) const { return kBottom - value / top_ * (kBottom - kTop); }

  /// 1, 2 or 5 times a power of ten, so that there are about four of them.
  double step() const {
    const double power = std::pow(10, std::floor(std::log10(top_ / 4)));
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (top_ / (factor * power) <= 5) return factor * power;
    }
    return 10 * power;
  }
  double top() const { return top_; }

 private:
  double from_ = 0, to_ = 0, top_;
};

Markup values_beside(const Plane& plane, const Curves& curves) {
  Markup content = words(Plane::kLeft - 6, Plane::kTop - 8, curves.unit, "end");
  if (!(plane.top() > 0)) return content;
  for (double value = 0; value <= plane.top(); value += plane.step()) {
    const double y = plane.y(value);
    content +=
        line({Plane::kLeft, y, Plane::kRight, y}, "currentColor", "1", value == 0 ? "1" : "0.15");
    content += words(Plane::kLeft - 6, y + 3, fmt::format("{:g}", value), "end");
  }
  return content;
}

Markup roof_line(const Plane& plane, double roof) {
  const double y = plane.y(roof);
  return element("line", {{"x1", at(Plane::kLeft)},
                          {"y1", at(y)},
                          {"x2", at(Plane::kRight)},
                          {"y2", at(y)},
                          {"stroke", "currentColor"},
                          {"stroke-dasharray", "5 4"}}) +
         words(Plane::kLeft + 6, y - 5, fmt::format("roof {:.0f}", roof), "start");
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
    marks += symbol(plane.x(point.size), plane.y(point.value), curve.series);
  }
  return element("path", {{"d", path},
                          {"fill", "none"},
                          {"stroke", series_colour(curve.series)},
                          {"stroke-width", "2"}}) +
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
                    series_colour(curve->series), "1", "0.6");
    content += words(Plane::kRight + 10, y + 3, curve->name, "start");
  }
  return content;
}

}  // namespace

Markup curves_mark(const Curves& curves, const Alt& alt) {
  Curves shown = curves;
  std::erase_if(shown.curves, [](const Curve& curve) { return curve.points.empty(); });
  const Plane plane(shown);
  Markup content = sizes_below(plane, shown) + values_beside(plane, shown);
  if (shown.roof > 0) content += roof_line(plane, shown.roof);
  for (const Curve& curve : shown.curves) content += drawn(plane, curve);
  content += names_beside(plane, shown.curves);
  const double below = 12 * static_cast<double>(shown.curves.size());
  return drawing(alt, content, Plane::kWide, std::max(Plane::kHigh, Plane::kTop + below + 100));
}

}  // namespace assay::page
