// Cost: what qualifies the numbers, then a ladder a quantity, from the cheapest case to the
// dearest.
#include "harness/page/material/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// Powers of ten around all numbers of a table.
struct Scale {
  double from = 0, to = 0;
};

void widen(Scale& scale, double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  const double below = std::pow(10, std::floor(std::log10(value)));
  scale.from = scale.from == 0 ? below : std::min(scale.from, below);
  scale.to = std::max(scale.to, below * 10);
}

Scale scale_of(const Quantity& quantity) {
  Scale scale;
  for (const BenchMeasurement* measured : quantity.measurements) {
    if (measured->center) widen(scale, *measured->center);
  }
  return scale;
}

struct Place {
  const Bench& bench;
  const Quantity& quantity;
  Scale scale;
};

Rung rung_of(const BenchMeasurement& measured, std::size_t subject) {
  const double center = *measured.center;
  const double low = measured.interval ? measured.interval->low : center;
  const double high = measured.interval ? measured.interval->high : center;
  return {cut(measured.subject, 24), center, std::max(low, center / 1e3), high,
          series_colour(subject)};
}

/// Copies are there for the noise floor.
std::vector<std::size_t> shown_subjects(const Bench& bench) {
  const auto& subjects = bench.record->subjects;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (!subjects[i].copy_of) shown.push_back(i);
  }
  return shown;
}

Cell drawing_cell(const Place& place, const CostRow& row) {
  std::vector<Rung> rungs;
  std::string words;
  for (const std::size_t i : shown_subjects(place.bench)) {
    const BenchMeasurement* measured = row.of_subject[i];
    if (measured == nullptr || !measured->center || *measured->center <= 0) continue;
    rungs.push_back(rung_of(*measured, i));
    words += fmt::format("{}{} {} {}", words.empty() ? "" : ", ", measured->subject,
                         figure(*measured->center), place.quantity.unit);
  }
  if (rungs.empty()) return {};
  return {ladder_mark({rungs, place.scale.from, place.scale.to}, {row.name, words}), {}};
}

/// The interval, how many calls it lasts, and a mark where the number is not to be relied on.
Markup small_print(const BenchMeasurement& measured) {
  const double center = *measured.center;
  std::string text = interval_text(center, measured.interval);
  if (measured.null_calls) {
    text +=
        fmt::format("{}{} calls", text.empty() ? "" : " · ", figure(measured.null_calls->center));
  }
  Markup content;
  if (!text.empty()) content += element("br", {}) + element("small", text);
  if (is_unsteady(measured)) {
    content += element("br", {}) +
               element("small", {{"class", "odd"}}, "! unsteady: " + reach_text(measured));
  }
  return content;
}

Cell ladder_cell(const Place& place, const BenchMeasurement* measured) {
  if (measured == nullptr) return {};
  if (!measured->center) return {lacking(*measured), {}};
  const double center = *measured->center;
  const Markup content = link_to(anchor_of_measurement(place.bench, *measured), figure(center)) +
                         small_print(*measured);
  return {content, center};
}

std::string scale_text(const Place& place) {
  return fmt::format("{} to {} {}, logarithmic", figure(place.scale.from), figure(place.scale.to),
                     place.quantity.unit);
}

Markup ladder(const Bench& bench, const Quantity& quantity) {
  const Place place{bench, quantity, scale_of(quantity)};
  Table table{fmt::format("{} in {}, {} is better", quantity.name, quantity.unit,
                          quantity.higher_is_better ? "more" : "less"),
              {"Case"},
              {},
              true};
  if (quantity.is_of_many()) table.columns.emplace_back("Quantity");
  for (const std::size_t i : shown_subjects(bench))
    table.columns.push_back(title_of(bench.record->subjects[i]));
  table.columns.push_back(scale_text(place));
  for (const CostRow& row : rows_of(bench, quantity)) {
    TableRow line;
    line.cells.push_back({Markup(row.name), {}});
    if (quantity.is_of_many()) line.cells.push_back({Markup(row.quantity), {}});
    for (const std::size_t i : shown_subjects(bench))
      line.cells.push_back(ladder_cell(place, row.of_subject[i]));
    line.cells.push_back(drawing_cell(place, row));
    table.rows.push_back(std::move(line));
  }
  if (table.rows.empty()) return {};
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
  const std::string text = fmt::format(
      "{}; {}. Each number is the median of {} fresh processes with {} samples each; "
      "below it its 95 % interval, and how many calls through a function pointer it "
      "lasts. A number leads to its raw samples.",
      record.environment.machine, record.meta.started, record.meta.processes, record.meta.samples);
  return element("p", {{"class", "under"}}, text);
}

}  // namespace

Section cost_section(const Material& material) {
  constexpr std::size_t kMostOpen = 3;
  Markup content = warnings_of(material.benches);
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
