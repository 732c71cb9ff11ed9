// Bandwidth of each case as a function of size, compared with the largest copy, with a cold and
// a hot L2 cache.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/page/data/cost.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

// Measurements that move a known number of bytes, grouped by case, type and size.

/// The measurements at one size, with a hot and with a cold L2 cache; null if not measured.
struct MovedAt {
  std::int64_t bytes;
  const report::BenchMeasurement* hot = nullptr;
  const report::BenchMeasurement* cold = nullptr;
};

/// One case at all its sizes, in ascending order.
struct Series {
  std::string name;        ///< without size and cache: `device/unscale/dtype=f16/tensors=1`
  std::string short_name;  ///< the values of its distinguishing axes: `f16`
  std::vector<MovedAt> points;
};

/// The series of one drawing: `device/unscale`, or all copies between host and device.
struct Family {
  std::string name;
  bool is_between_memories = false;
  std::vector<Series> series;

  bool has_cold() const;
};

using report::BenchMeasurement;

std::string text_of(const report::BenchAxes& axes, std::string_view name) {
  for (const auto& [axis, value] : axes) {
    if (axis == name)
      return std::visit([](const auto& plain) { return fmt::format("{}", plain); }, value);
  }
  return "";
}

/// Without the axes for size and cache, which are represented separately.
report::BenchAxes other_axes(const BenchMeasurement& measured) {
  report::BenchAxes axes = measured.axes;
  std::erase_if(axes, [](const auto& axis) { return axis.first == "N" || axis.first == "l2"; });
  return axes;
}

Family& family_of(std::vector<Family>& families, const BenchMeasurement& measured) {
  const bool is_between = report::is_between_memories(measured);
  const std::string name = is_between ? "copies between host and device" : measured.case_name;
  auto found = std::ranges::find(families, name, &Family::name);
  if (found == families.end()) found = families.insert(found, {name, is_between, {}});
  return *found;
}

MovedAt& point_of(Series& series, std::int64_t bytes) {
  auto found = std::ranges::find(series.points, bytes, &MovedAt::bytes);
  if (found == series.points.end()) found = series.points.insert(found, {bytes});
  return *found;
}

/// Names series by the axes that differ within the family, and different cases by their last words.
void name_briefly(Family& family, const std::vector<const BenchMeasurement*>& firsts) {
  std::set<std::string> cases;
  for (const BenchMeasurement* first : firsts) cases.insert(first->case_name);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    std::string& text = family.series[i].short_name;
    const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    const std::string& name = firsts[i]->case_name;
    if (cases.size() > 1) add(name.substr(name.rfind('/') + 1));
    for (const auto& [axis, value] : other_axes(*firsts[i])) {
      const std::string own = text_of(firsts[i]->axes, axis);
      const bool differs = std::ranges::any_of(firsts, [&, &axis = axis](const auto* other) {
        return text_of(other->axes, axis) != own;
      });
      if (differs) add(axis == "dtype" ? own : axis + "=" + own);
    }
    if (text.empty()) text = name.substr(name.rfind('/') + 1);
  }
}

const BenchMeasurement* any_of(const Series& series) {
  const MovedAt& point = series.points.front();
  return point.hot != nullptr ? point.hot : point.cold;
}

bool Family::has_cold() const {
  return std::ranges::any_of(series, [](const Series& one) {
    return std::ranges::any_of(one.points,
                               [](const MovedAt& point) { return point.cold != nullptr; });
  });
}

/// The families of one subject; empty for a copy, which serves only the noise floor.
std::vector<Family> families_of(const Bench& bench, const report::BenchSubject& subject) {
  std::vector<Family> families;
  if (subject.copy_of) return families;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (measured.subject != subject.id || !report::bandwidth_of(measured)) continue;
    Family& family = family_of(families, measured);
    const std::string name = report::full_name(measured.case_name, other_axes(measured));
    auto series = std::ranges::find(family.series, name, &Series::name);
    if (series == family.series.end()) series = family.series.insert(series, {name, "", {}});
    MovedAt& point = point_of(*series, *measured.bytes);
    (text_of(measured.axes, "l2") == "cold" ? point.cold : point.hot) = &measured;
  }
  for (Family& family : families) {
    std::vector<const BenchMeasurement*> firsts;
    for (Series& series : family.series) {
      std::ranges::sort(series.points, {}, &MovedAt::bytes);
      firsts.push_back(any_of(series));
    }
    name_briefly(family, firsts);
  }
  return families;
}

/// `8 KB`, `537 MB`: decimal units, as in GB/s.
std::string bytes_text(double bytes) {
  constexpr std::array kUnits{"B", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

struct Place {
  const Bench& bench;
  const report::BenchSubject& subject;
  const BenchMeasurement* roof;   ///< the largest copy; null if not measured
  const BenchMeasurement* floor;  ///< an empty pair of events
};

std::string share_text(double share) {
  return share < 0.0995 ? fmt::format("{:.2g} %", 100 * share)
                        : fmt::format("{:.0f} %", 100 * share);
}

/// `device/unscale/dtype=f16, cold L2, 16.8 MB: 9 012 ns (8 990 – 9 040), 1 862 GB/s, 62 % of the
/// roof`
std::string point_text(const Place& place, const Series& series, const MovedAt& at, bool cold) {
  const BenchMeasurement& measured = cold ? *at.cold : *at.hot;
  const std::string interval = interval_text(*measured.center, measured.interval);
  const auto share = report::share_of_roof(*place.bench.record, measured);
  return fmt::format("{}{}, {}: {} ns{}, {} GB/s{}", series.name, cold ? ", cold L2" : "",
                     bytes_text(static_cast<double>(at.bytes)), figure(*measured.center),
                     interval.empty() ? "" : fmt::format(" ({})", interval),
                     figure(*report::bandwidth_of(measured)),
                     share ? ", " + share_text(*share) + " of the roof" : "");
}

void add_curve(const Place& place, Curves& curves, const Series& series, bool cold,
               std::size_t colour) {
  Curve curve{fmt::format("{:.40}", series.short_name) + (cold ? " cold" : ""), {}, colour, cold};
  for (const MovedAt& at : series.points) {
    const BenchMeasurement* measured = cold ? at.cold : at.hot;
    if (measured == nullptr) continue;
    curve.points.push_back({static_cast<double>(at.bytes), *report::bandwidth_of(*measured),
                            point_text(place, series, at, cold)});
  }
  if (!curve.points.empty()) curves.curves.push_back(std::move(curve));
}

/// One case with all its types; empty if all have the same size.
Markup drawing_of(const Place& place, const Family& family) {
  constexpr std::size_t kMostCurves = 8;
  const bool has_roof = place.roof != nullptr && !family.is_between_memories;
  Curves curves{{}, has_roof ? *report::bandwidth_of(*place.roof) : 0, 0, "GB/s", bytes_text};
  std::size_t colour = 0;
  for (const Series& series : family.series) {
    if (series.points.size() < 2 || colour == kMostCurves) continue;
    for (const bool cold : {false, true}) add_curve(place, curves, series, cold, colour);
    ++colour;
  }
  const bool has_cold = std::ranges::any_of(curves.curves, &Curve::dashed);
  if (has_cold && place.floor != nullptr) curves.floor = *place.floor->center;
  if (curves.curves.empty()) return {};
  const Alt alt{fmt::format("Bandwidth of {} on {} over the bytes that a call moves", family.name,
                            title_of(place.subject)),
                "The numbers are in the table below."};
  return element("div", {{"class", "picture"}},
                 element("p", element("b", family.name)) + curves_mark(curves, alt));
}

/// Time, bandwidth and share of the roof; empty cells if not measured.
void add_cells(TableRow& row, const Bench& bench, const BenchMeasurement* measured) {
  if (measured == nullptr) {
    row.cells.resize(row.cells.size() + 3);
    return;
  }
  const double bandwidth = *report::bandwidth_of(*measured);
  row.cells.push_back(
      number(*measured->center, link_to(anchor_of_measurement(bench, *measured),
                                        figure(*measured->center) + " " + measured->unit)));
  row.cells.push_back(number(bandwidth, figure(bandwidth)));
  const auto share = report::share_of_roof(*bench.record, *measured);
  row.cells.push_back(share ? number(*share, share_text(*share)) : Cell{});
}

Table empty_table(const Place& place, bool has_cold) {
  Table table{fmt::format("Bandwidth of {} in GB/s, more is better{}", title_of(place.subject),
                          has_cold ? "; share of the roof; with the L2 cache hot and cold" : ""),
              {"Case", "Bytes moved"},
              {},
              true};
  std::vector<const char*> columns{"Time", "GB/s", "Share of the roof", "", "", ""};
  if (has_cold)
    columns = {"Time, hot", "GB/s, hot", "Share, hot", "Time, cold", "GB/s, cold", "Share, cold"};
  for (const char* column : columns) table.columns.emplace_back(column);
  return table;
}

Markup table_of(const Place& place, const std::vector<Family>& families) {
  bool has_cold = false;
  std::vector<TableRow> rows;
  for (const Family& family : families) {
    for (const Series& series : family.series) {
      for (const MovedAt& at : series.points) {
        TableRow row{
            {{breakable(series.name), {}},
             number(static_cast<double>(at.bytes), bytes_text(static_cast<double>(at.bytes)))},
            ""};
        add_cells(row, place.bench, at.hot);
        add_cells(row, place.bench, at.cold);
        has_cold |= at.cold != nullptr;
        rows.push_back(std::move(row));
      }
    }
  }
  Table table = empty_table(place, has_cold);
  table.rows = std::move(rows);
  table.drop_empty_columns();
  return to_markup(table);
}

std::string about_roof(const Place& place) {
  if (place.roof == nullptr) return fmt::format("No roof: {} was not measured.", report::kRoofCase);
  return fmt::format(
      "The roof is the largest copy, {}: {} GB/s. Smaller sizes may exceed it if a cache "
      "holds the data.",
      report::full_name(place.roof->case_name, place.roof->axes),
      figure(*report::bandwidth_of(*place.roof)));
}

/// Describes only what this place draws.
std::string about_cold(const Place& place, const std::vector<Family>& families) {
  const bool has_cold = std::ranges::any_of(families, &Family::has_cold);
  if (!has_cold) return "";
  std::string text = " Dashed curves have a cold L2 cache: it is overwritten before each call.";
  if (place.floor != nullptr)
    text += fmt::format(
        " Each of those calls is timed between a pair of events, which takes {} ns by itself: the "
        "dotted line.",
        figure(*place.floor->center));
  return text;
}

Markup part_of(const Bench& bench, const report::BenchSubject& subject) {
  const std::vector<Family> families = families_of(bench, subject);
  if (families.empty()) return {};
  const Place place{bench, subject, report::roof_of(*bench.record, subject.id),
                    first_of(bench, subject.id, "device.exec_ns", "device/event_pair/l2=cold")};
  constexpr std::size_t kMostDrawn = 4;  // of many records, only the first unless they are small
  Markup drawings;
  for (const Family& family : families) {
    if (!bench.is_brief || bench.number < kMostDrawn) drawings += drawing_of(place, family);
  }
  if (!drawings.empty()) drawings = element("div", {{"class", "pictures"}}, drawings);
  return element("h3", fmt::format("{}, {}", title_of(subject), title_of(bench))) +
         element("p", {{"class", "under"}}, about_roof(place) + about_cold(place, families)) +
         remarks_on(bench) + drawings + table_of(place, families);
}

}  // namespace

Section bandwidth_section(const PageData& page_data) {
  Markup content;
  for (const Bench& bench : page_data.benches) {
    if (!bench.is_whole) continue;
    for (const report::BenchSubject& subject : bench.record->subjects)
      content += part_of(bench, subject);
  }
  return {"bandwidth", "Bandwidth", "", content};
}

}  // namespace assay::page
