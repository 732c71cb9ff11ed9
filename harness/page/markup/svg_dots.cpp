// Draws values on a logarithmic scale, and their legend.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "harness/page/markup/shapes.hpp"

namespace assay::page {

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
