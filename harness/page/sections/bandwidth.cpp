// Bandwidth: what each case moves in a second, over how much it moves, beside the largest copy.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/page/markup/svg.hpp"
#include "harness/page/material/cost.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// `8 KB`, `537 MB`: powers of ten, as in GB/s.
std::string bytes_text(double bytes) {
  constexpr std::array kUnits{"B", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

/// One case of one subject at all its sizes, the least first.
struct Series {
  std::string subject;
  std::string name;  ///< without the size: `device/unscale/dtype=f16/tensors=1`
  std::vector<const BenchMeasurement*> points;
};

std::string name_without_size(const BenchMeasurement& measured) {
  report::BenchAxes axes = measured.axes;
  std::erase_if(axes, [](const auto& axis) { return axis.first == "N"; });
  return report::full_name(measured.case_name, axes);
}

/// Copies of subjects are there for the noise floor.
std::vector<Series> series_of(const report::BenchRecord& record, const report::BenchSubject& of) {
  std::vector<Series> all;
  for (const BenchMeasurement& measured : record.measurements) {
    if (measured.subject != of.id || of.copy_of || !report::bandwidth_of(measured)) continue;
    const std::string name = name_without_size(measured);
    auto place = std::ranges::find(all, name, &Series::name);
    if (place == all.end()) place = all.insert(place, {measured.subject, name, {}});
    place->points.push_back(&measured);
  }
  for (Series& series : all) std::ranges::sort(series.points, {}, &BenchMeasurement::bytes);
  return all;
}

Markup drawing_of(const std::vector<Series>& all, double roof, const std::string& subject) {
  Curves curves{{}, roof, "GB/s", bytes_text};
  for (const Series& series : all) {
    Curve curve{cut(series.name, 56), {}, curves.curves.size()};
    for (const BenchMeasurement* point : series.points) {
      curve.points.push_back({static_cast<double>(*point->bytes), *report::bandwidth_of(*point)});
    }
    curves.curves.push_back(std::move(curve));
  }
  const Alt alt{"Bandwidth of " + subject + " over the bytes that a call moves",
                "The numbers stand in the table below."};
  return element("div", {{"class", "scroll"}}, curves_mark(curves, alt));
}

TableRow row_of(const Bench& bench, const Series& series, const BenchMeasurement& measured,
                double roof) {
  const double bandwidth = *report::bandwidth_of(measured);
  TableRow row;
  row.cells.push_back({breakable(series.name), {}});
  row.cells.push_back(number(static_cast<double>(*measured.bytes),
                             bytes_text(static_cast<double>(*measured.bytes))));
  row.cells.push_back(
      number(*measured.center, link_to(anchor_of_measurement(bench, measured),
                                       figure(*measured.center) + " " + measured.unit)));
  row.cells.push_back(number(bandwidth, figure(bandwidth)));
  if (roof > 0) {
    row.cells.push_back(number(bandwidth / roof, fmt::format("{:.0f} %", 100 * bandwidth / roof)));
  } else {
    row.cells.emplace_back();
  }
  return row;
}

Markup table_of(const Bench& bench, const std::vector<Series>& all, double roof,
                const std::string& subject) {
  Table table{fmt::format("Bandwidth of {} in GB/s, more is better", subject),
              {"Case", "Bytes moved", "Time", "GB/s", "Share of the roof"},
              {},
              true};
  for (const Series& series : all) {
    for (const BenchMeasurement* point : series.points)
      table.rows.push_back(row_of(bench, series, *point, roof));
  }
  table.drop_empty_columns();
  return to_markup(table);
}

std::string about_roof(const BenchMeasurement* roof) {
  if (roof == nullptr) {
    return fmt::format("No roof: {} was not measured.", report::kRoofCase);
  }
  return fmt::format(
      "The roof is the largest copy, {}: {} GB/s. What is smaller may lie above it, where a cache "
      "holds the data.",
      report::full_name(roof->case_name, roof->axes), figure(*report::bandwidth_of(*roof)));
}

Markup part_of(const Bench& bench, const report::BenchSubject& subject) {
  const std::vector<Series> all = series_of(*bench.record, subject);
  if (all.empty()) return {};
  const BenchMeasurement* roof = report::roof_of(*bench.record, subject.id);
  const double height = roof == nullptr ? 0 : *report::bandwidth_of(*roof);
  const std::string title = title_of(subject);
  return element("h3", fmt::format("{}, {}", title, title_of(bench))) +
         element("p", {{"class", "under"}}, about_roof(roof)) + remarks_on(bench) +
         drawing_of(all, height, title) + table_of(bench, all, height, title);
}

}  // namespace

Section bandwidth_section(const Material& material) {
  Markup content;
  for (const Bench& bench : material.benches) {
    for (const report::BenchSubject& subject : bench.record->subjects)
      content += part_of(bench, subject);
  }
  return {"bandwidth", "Bandwidth", "", content};
}

}  // namespace assay::page
