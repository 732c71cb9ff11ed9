// Distributions: every measurement with its interval and the medians of its processes, and the raw
// samples of each process, batch by batch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/page/data/cost.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// A longer table is collapsed.
constexpr std::size_t kMostOpen = 60;

/// The strips of a table share one scale, relative to each median, to make noise comparable.
double reach_of(const Bench& bench) {
  constexpr double kLeast = 0.01, kMost = 0.25;
  double reach = kLeast;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (!measured.center || *measured.center <= 0) continue;
    for (const report::BenchProcess& process : measured.processes) {
      reach = std::max(reach, std::fabs(process.median / *measured.center - 1));
    }
  }
  return std::min(std::ceil(reach * 100) / 100, kMost);
}

std::vector<double> medians_of(const BenchMeasurement& measured) {
  std::vector<double> medians;
  for (const report::BenchProcess& process : measured.processes) medians.push_back(process.median);
  return medians;
}

Markup strip_of(const BenchMeasurement& measured, double reach, std::size_t subject) {
  const std::vector<double> medians = medians_of(measured);
  if (medians.empty() || measured.exact) return {};
  const double center = *measured.center;
  const double low = measured.interval ? measured.interval->low : center;
  const double high = measured.interval ? measured.interval->high : center;
  const auto [least, most] = std::ranges::minmax(medians);
  return strip({medians, center * (1 - reach), center * (1 + reach), low, high, center,
                series_colour(subject)},
               {"Medians of the processes",
                fmt::format("{} from {} to {} {}", counted(medians.size(), "median"), figure(least),
                            figure(most), measured.unit)});
}

Markup interval_cell(const BenchMeasurement& measured) {
  Markup content = interval_text(*measured.center, measured.interval);
  if (is_unsteady(measured))
    content += element("br", {}) +
               element("small", {{"class", "odd"}}, "! unsteady: " + reach_text(measured));
  return content;
}

std::vector<Cell> number_cells(const Bench& bench, const BenchMeasurement& measured, double reach) {
  if (!measured.center) return {{lacking(measured), {}}, {}, {}, {}, {}};
  const double center = *measured.center;
  std::string calls, calls_interval;
  if (measured.null_calls) {
    calls = figure(measured.null_calls->center);
    calls_interval = interval_text(measured.null_calls->center, measured.null_calls->interval);
  }
  // The quantity already names what a step counts.
  const std::string unit = is_of_steps(measured) ? "" : "\u00a0" + measured.unit;
  return {
      number(center, number_text(measured) + unit),
      {interval_cell(measured), {}, true},
      {calls + (calls_interval.empty() ? "" : fmt::format(" ({})", calls_interval)), {}, true},
      {link_to(anchor_of_samples(bench, measured), std::to_string(measured.processes.size())),
       {},
       true},
      {bench.is_brief ? Markup() : strip_of(measured, reach, series_of(bench, measured.subject)),
       {}}};
}

Markup table_of(const Bench& bench) {
  const double reach = reach_of(bench);
  const std::string caption =
      report::has_counts_only(*bench.record)
          ? fmt::format("{}: counts", bench.source->name)
          : fmt::format("{}: medians of the processes, ±{:.0f} % around their median",
                        bench.source->name, reach * 100);
  Table table{caption,
              {"Case", "Quantity", "Subject", "Median", "95 % interval", "Calls through a pointer",
               "Processes", "Distribution"},
              {},
              true};
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (bench.is_brief && is_copy(bench, measured.subject)) continue;
    TableRow row{{{breakable(report::full_name(measured.case_name, measured.axes)), {}},
                  {measured.quantity, {}},
                  {measured.subject, {}}},
                 anchor_of_measurement(bench, measured)};
    for (Cell& cell : number_cells(bench, measured, reach)) row.cells.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  table.drop_empty_columns();
  const std::string summary = fmt::format(
      "{}: {}", bench.source->name, counted(bench.record->measurements.size(), "measurement"));
  return foldable(element("b", summary), remarks_on(bench) + to_markup(table), "",
                  table.rows.size() <= kMostOpen);
}

}  // namespace

Section distributions_section(const PageData& page_data) {
  Markup content;
  for (const Bench& bench : page_data.benches) {
    if (bench.is_whole && !bench.record->measurements.empty()) content += table_of(bench);
  }
  return {"distributions", "Measurements", "", content};
}

// Raw samples.

namespace {

std::size_t samples_in(const Bench& bench) {
  std::size_t count = 0;
  for (const auto& measured : bench.record->measurements) {
    for (const auto& process : measured.processes) count += process.samples.size();
  }
  return count;
}

TableRow process_row(const report::BenchProcess& process, bool exact) {
  std::string samples;
  for (const double sample : process.samples)
    samples += fmt::format("{}{:.6g}", samples.empty() ? "" : " ", sample);
  const std::string load = process.load ? fmt::format("{:.2f}", *process.load) : "";
  const Markup sum = process.checksum_ok ? Markup("✓") : element("span", {{"class", "bad"}}, "✗");
  return {{{std::to_string(process.index), {}},
           number(static_cast<double>(process.order), std::to_string(process.order)),
           {load, {}, true},
           number(static_cast<double>(process.iterations), std::to_string(process.iterations)),
           {sum, {}},
           number(process.median, exact ? count_text(process.median) : figure(process.median)),
           {samples, {}}},
          ""};
}

Markup samples_of(const Bench& bench, const report::BenchMeasurement& measured) {
  const std::string name = report::full_name(measured.case_name, measured.axes);
  Table table{fmt::format("{} of {} on {}, in {}", measured.quantity, name, measured.subject,
                          measured.unit),
              {"Process", "Order", "Load", "Iterations", "Checksum", "Median", "Samples"},
              {},
              false};
  for (const auto& process : measured.processes)
    table.rows.push_back(process_row(process, measured.exact));
  const Markup back = link_to(anchor_of_measurement(bench, measured), "back to the measurement");
  return foldable(element("b", name) + " " + measured.subject,
                  to_markup(table) + element("p", back), anchor_of_samples(bench, measured));
}

/// A count that is the same in every process needs no table.
bool is_constant(const report::BenchMeasurement& measured) {
  return measured.exact && std::ranges::all_of(measured.processes, [&](const auto& process) {
           const auto is_it = [&](double sample) { return sample == measured.center; };
           return process.checksum_ok && process.median == measured.center &&
                  std::ranges::all_of(process.samples, is_it);
         });
}

Markup constant_of(const Bench& bench, const report::BenchMeasurement& measured) {
  const std::string name = report::full_name(measured.case_name, measured.axes);
  std::size_t samples = 0;
  for (const auto& process : measured.processes) samples += process.samples.size();
  const std::string text = fmt::format(
      " {}, {}: {} in {} of {}, ", measured.subject, measured.quantity, number_text(measured),
      samples == 1 ? "the one sample" : fmt::format("each of {} samples", samples),
      counted_processes(static_cast<std::int64_t>(measured.processes.size())));
  return element(
      "p", {{"id", anchor_of_samples(bench, measured)}},
      element("b", name) + text + link_to(anchor_of_measurement(bench, measured), "back"));
}

/// The samples of each measurement or, if there are too many, the target of the links to them.
Markup part_of(const Bench& bench) {
  const Markup summary =
      element("b", bench.source->name) + fmt::format(": {} samples", samples_in(bench));
  if (!bench.shows_samples) {
    return element("li", {{"id", anchor_of_samples(bench, bench.record->measurements.front())}},
                   summary);
  }
  Markup part;
  for (const auto& measured : bench.record->measurements) {
    if (measured.processes.empty()) continue;
    part += is_constant(measured) ? constant_of(bench, measured) : samples_of(bench, measured);
  }
  return foldable(summary, part);
}

}  // namespace

Section samples_section(const PageData& page_data) {
  std::size_t count = 0;
  bool shown = true;
  Markup content;
  for (const Bench& bench : page_data.benches) {
    const std::size_t samples = samples_in(bench);
    count += samples;
    if (!bench.is_whole || samples == 0) continue;
    shown = bench.shows_samples;
    content += part_of(bench);
  }
  if (!shown)
    content = element("p", "There are too many to be shown; the records have them.") +
              element("ul", content);
  return {"samples", "Raw samples", std::to_string(count), count == 0 ? Markup() : content};
}

}  // namespace assay::page
