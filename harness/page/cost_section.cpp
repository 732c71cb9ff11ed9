// Cost: what stands beside the numbers, then a ladder a quantity, from the cheapest case to the
// dearest.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/cost.hpp"
#include "harness/page/sections.hpp"
#include "harness/page/svg.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// The longest bar of a table.
double longest(const Quantity& quantity) {
  double most = 0;
  for (const BenchMeasurement* measured : quantity.measurements) {
    if (!measured->center) continue;
    most = std::max({most, *measured->center, measured->interval ? measured->interval->high : 0});
  }
  return most;
}

struct Place {
  const Bench& bench;
  const Quantity& quantity;
  double full;
};

Markup bar_of(const Place& place, const BenchMeasurement& measured, std::size_t subject) {
  const double center = *measured.center;
  const double low = measured.interval ? measured.interval->low : center;
  const double high = measured.interval ? measured.interval->high : center;
  const std::string words = fmt::format("{} {}, {} {}", measured.subject, measured.case_name,
                                        figure(center), place.quantity.unit);
  return bar({center, place.full, low, high, series_colour(subject)}, {"Median", words});
}

Markup small_line(const std::string& text) {
  return text.empty() ? Markup() : element("br", {}) + element("small", text);
}

Cell ladder_cell(const Place& place, const BenchMeasurement* measured, std::size_t subject) {
  if (measured == nullptr) return {};
  if (!measured->center) return {lacking(*measured), {}};
  const double center = *measured->center;
  Markup content = link_to(anchor_of_measurement(place.bench, *measured), figure(center));
  if (measured->null_calls) {
    content += element("small", fmt::format("  {} × call", figure(measured->null_calls->center)));
  }
  content += element("br", {}) + bar_of(place, *measured, subject) +
             small_line(interval_text(center, measured->interval));
  return {content, center};
}

Markup ladder(const Bench& bench, const Quantity& quantity) {
  const Place place{bench, quantity, longest(quantity)};
  Table table{fmt::format("{} in {}, {} is better: median of {} processes, its 95 % interval, and "
                          "how many calls through a function pointer it lasts",
                          quantity.name, quantity.unit, quantity.higher_is_better ? "more" : "less",
                          bench.record->meta.processes),
              {"Case"},
              {},
              true};
  for (const auto& subject : bench.record->subjects) table.columns.push_back(title_of(subject));
  for (const CostRow& row : rows_of(bench, quantity)) {
    TableRow line;
    line.cells.push_back({Markup(row.name), {}});
    for (std::size_t i = 0; i < row.of_subject.size(); ++i) {
      line.cells.push_back(ladder_cell(place, row.of_subject[i], i));
    }
    table.rows.push_back(std::move(line));
  }
  table.drop_empty_columns();
  return to_markup(table);
}

void add_figure(Table& table, const char* what, const std::optional<report::BenchFigure>& value) {
  if (!value) return;
  table.rows.push_back({{{Markup(what), {}},
                         number(value->center, figure(value->center) + " ns"),
                         {interval_text(value->center, value->interval), {}, true},
                         number(value->medians.size())},
                        ""});
}

Markup calibration(const Bench& bench) {
  const report::BenchCalibration& values = bench.record->calibration;
  Table table{
      "What measuring itself costs here", {"Floor", "Median", "Interval", "Processes"}, {}, false};
  add_figure(table, "reading the clock", values.timer_cost_ns);
  add_figure(table, "the clock's step", values.timer_resolution_ns);
  add_figure(table, "an iteration of an empty loop", values.empty_loop_ns);
  add_figure(table, "a call through a function pointer", values.null_call_ns);
  return table.rows.empty() ? Markup() : to_markup(table);
}

Markup about(const Bench& bench) {
  const report::BenchRecord& record = *bench.record;
  const std::string text =
      fmt::format("{}; {}, {} processes a subject, {} samples in each", record.environment.machine,
                  record.meta.started, record.meta.processes, record.meta.samples);
  return element("p", {{"class", "under"}}, text);
}

}  // namespace

Section cost_section(const Material& material) {
  constexpr std::size_t kMostOpen = 3;
  Markup content;
  for (const Bench& bench : material.benches) {
    Markup part = about(bench) + remarks_on(bench);
    for (const Quantity& quantity : quantities_of(bench)) part += ladder(bench, quantity);
    part += calibration(bench);
    content += foldable(element("b", bench.source->name), part, anchor_of_bench(bench),
                        material.benches.size() <= kMostOpen);
  }
  return {"cost", "Cost", "", content};
}

}  // namespace assay::page
