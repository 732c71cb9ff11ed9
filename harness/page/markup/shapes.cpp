// Builds SVG elements.
#include "harness/page/markup/shapes.hpp"

#include <fmt/format.h>

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

}  // namespace assay::page
