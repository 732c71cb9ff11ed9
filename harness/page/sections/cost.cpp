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
  std::vector<std::size_t> subjects;  ///< those with a number; copies are there for the noise floor
};

bool has_number(const Quantity& quantity, const std::string& subject) {
  return std::ranges::any_of(quantity.measurements, [&](const BenchMeasurement* measured) {
    return measured->subject == subject && measured->center;
  });
}

Place place_of(const Bench& bench, const Quantity& quantity) {
  const auto& subjects = bench.record->subjects;
  Place place{bench, quantity, scale_of(quantity), {}};
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (!subjects[i].copy_of && has_number(quantity, subjects[i].id)) place.subjects.push_back(i);
  }
  return place;
}

Cell drawing_cell(const Place& place, const CostRow& row) {
  Dots dots{{}, place.scale.from, place.scale.to};
  std::string words;
  for (const std::size_t i : place.subjects) {
    const BenchMeasurement* measured = row.of_subject[i];
    if (measured == nullptr || !measured->center || *measured->center <= 0) continue;
    const double center = *measured->center;
    const double low = measured->interval ? measured->interval->low : center;
    const double high = measured->interval ? measured->interval->high : center;
    dots.dots.push_back({i, center, std::max(low, center / 1e3), high});
    words += fmt::format("{}{} {} {}", words.empty() ? "" : ", ", measured->subject,
                         number_text(*measured), place.quantity.unit);
  }
  if (dots.dots.empty()) return {};
  return {dots_mark(dots, {row.name, words}), {}};
}

/// The interval, and a mark where the number is not to be relied on.
Markup small_print(const BenchMeasurement& measured) {
  const std::string text = interval_text(*measured.center, measured.interval);
  Markup content;
  if (!text.empty()) content += element("br", {}) + element("small", text);
  if (is_unsteady(measured)) {
    content += element("br", {}) +
               element("small", {{"class", "odd"}}, "! unsteady: " + reach_text(measured));
  }
  return content;
}

/// Why there is no number stands in the table of those, once.
Cell ladder_cell(const Place& place, const BenchMeasurement* measured) {
  if (measured == nullptr) return {};
  if (measured->status == report::BenchStatus::kFailed) return {lacking(*measured), {}};
  if (!measured->center) return {element("span", {{"class", "quiet"}}, "–"), {}, true};
  const double center = *measured->center;
  return number(center,
                link_to(anchor_of_measurement(place.bench, *measured), number_text(*measured)) +
                    small_print(*measured));
}

/// What moves memory stands beside its roof, a call of a step beside the others.
bool stands_elsewhere(const CostRow& row) {
  return std::ranges::any_of(row.of_subject, [](const BenchMeasurement* measured) {
    return measured != nullptr && (is_of_steps(*measured) || report::bandwidth_of(*measured));
  });
}

Table ladder_table(const Place& place) {
  const Quantity& quantity = place.quantity;
  Table table{fmt::format("{} in {}, {} is better", quantity.name, quantity.unit,
                          quantity.higher_is_better ? "more" : "less"),
              {"Case"},
              {},
              true};
  if (quantity.is_of_many()) table.columns.emplace_back("Quantity");
  for (const std::size_t i : place.subjects) {
    table.columns.push_back(series_symbol(i) + " " + title_of(place.bench.record->subjects[i]));
  }
  if (place.scale.to > 0)
    table.columns.push_back(axis_mark({place.scale.from, place.scale.to, quantity.unit}));
  return table;
}

Markup ladder(const Bench& bench, const Quantity& quantity) {
  const Place place = place_of(bench, quantity);
  Table table = ladder_table(place);
  for (const CostRow& row : rows_of(bench, quantity)) {
    if (stands_elsewhere(row)) continue;
    TableRow line;
    line.cells.push_back({breakable(row.name), {}});
    if (quantity.is_of_many()) line.cells.push_back({Markup(row.quantity), {}});
    for (const std::size_t i : place.subjects)
      line.cells.push_back(ladder_cell(place, row.of_subject[i]));
    if (place.scale.to > 0) line.cells.push_back(drawing_cell(place, row));
    table.rows.push_back(std::move(line));
  }
  if (table.rows.empty()) return {};
  table.drop_empty_columns();
  return element("h3", title_of(quantity)) + to_markup(table);
}

/// What has no number, by reason: a row each, with the cases.
Markup missing_numbers(const Bench& bench) {
  Table table{fmt::format("What has no number in {}, and why", bench.source->name),
              {"Reason", "Subject", "Status", "Numbers", "Cases"},
              {},
              true};
  for (const Missing& missing : missing_of(bench)) {
    Markup items;
    for (const std::string& name : missing.names) items += element("li", name);
    table.rows.push_back({{{breakable(cut(missing.reason, 400)), {}},
                           {missing.subject, {}},
                           {missing.mark, {}},
                           number(missing.names.size()),
                           {foldable("which", element("ul", items)), {}}},
                          ""});
  }
  if (table.rows.empty()) return {};
  return element("div", {{"id", anchor_of_missing(bench)}},
                 element("h3", "Not measured") + to_markup(table, 200, "reason"));
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
  std::string text = fmt::format("{}; {}. ", record.environment.machine, record.meta.started);
  if (!has_a_number(record)) return element("p", {{"class", "under"}}, text + "It has no number.");
  if (report::has_counts_only(record)) {
    text += fmt::format(
        "Each number is a count, the same in {}. ",
        record.meta.processes == 1 ? "every run of it" : counted_processes(record.meta.processes));
  } else {
    text += fmt::format(
        "Each number is the median of {} with {} samples each; below it stands its 95 % interval. ",
        counted_processes(record.meta.processes), record.meta.samples);
  }
  return element("p", {{"class", "under"}}, text + "A number leads to its raw samples.");
}

}  // namespace

Section cost_section(const Material& material) {
  constexpr std::size_t kMostOpen = 5;
  Markup content = warnings_of(material.benches);
  for (const Bench& bench : material.benches) {
    Markup part = about(bench) + remarks_on(bench);
    for (const Quantity& quantity : quantities_of(bench)) {
      part += ladder(bench, quantity);
    }
    part += calibration(bench) + missing_numbers(bench);
    content += foldable(element("b", title_of(bench)), part, anchor_of_bench(bench),
                        material.benches.size() <= kMostOpen);
  }
  return {"cost", "Cost", "", content};
}

}  // namespace assay::page
