// Costs: notes on the numbers, then one ladder per quantity, from the cheapest to the most
// expensive case.
#include "harness/page/data/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "harness/page/sections/ladder.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// Memory-bound cases are shown with their roof, calls of a step with the other calls.
bool stands_elsewhere(const CostRow& row) {
  return std::ranges::any_of(row.of_subject, [](const BenchMeasurement* measured) {
    return measured != nullptr && (is_of_steps(*measured) || report::bandwidth_of(*measured));
  });
}

Markup ladder_of(const Bench& bench, const Quantity& quantity) {
  Ladder ladder{fmt::format("{} in {}, {} is better", quantity.name, quantity.unit,
                            quantity.higher_is_better ? "more" : "less"),
                quantity.unit,
                {},
                "Case",
                quantity.is_of_many()};
  for (const CostRow& row : rows_of(bench, quantity)) {
    if (!stands_elsewhere(row))
      ladder.rows.push_back({breakable(row.name), row.name, row.of_subject});
  }
  const Markup table = to_markup(bench, ladder);
  return table.empty() ? table : element("h3", title_of(quantity)) + table;
}

/// The measurements without a number: one row per reason, with the cases.
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
      "The cost of measuring here", {"Floor", "Median", "Interval", "Processes"}, {}, false};
  add_figure(table, "reading the clock", values.timer_cost_ns);
  add_figure(table, "the clock's step", values.timer_resolution_ns);
  add_figure(table, "an iteration of an empty loop", values.empty_loop_ns);
  add_figure(table, "a call through a function pointer", values.null_call_ns);
  return table.rows.empty() ? Markup() : to_markup(table);
}

/// A link to the calls of a step.
Markup steps_link(const Bench& bench) {
  if (std::ranges::none_of(bench.record->measurements, is_of_steps)) return {};
  return element("p",
                 Markup("The device operations of each call of a training step are listed under ") +
                     link_to("scaler-step", "Scaler step") + ".");
}

/// `12 fresh processes`; if some were lost, also the planned number.
std::string processes_text(const report::BenchRecord& record) {
  std::size_t least = SIZE_MAX, most = 0;
  for (const BenchMeasurement& measured : record.measurements) {
    if (!measured.center || measured.exact) continue;
    least = std::min(least, measured.processes.size());
    most = std::max(most, measured.processes.size());
  }
  const std::int64_t planned = record.meta.processes;
  const std::string some = counted_processes(static_cast<std::int64_t>(most));
  const std::string count = least == most ? some : fmt::format("{} to {}", least, some);
  return least == most && std::cmp_equal(most, planned)
             ? some
             : fmt::format("{} ({} were planned)", count, planned);
}

std::string about_times(const report::BenchRecord& record) {
  const bool has_intervals = std::ranges::any_of(
      record.measurements,
      [](const BenchMeasurement& measured) { return measured.interval.has_value(); });
  return fmt::format(
      "Each number is the median of {} with {} samples each; {}. ", processes_text(record),
      record.meta.samples,
      has_intervals ? "its 95 % interval is below it" : "they are too few for an interval");
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
    text += about_times(record);
  }
  return element("p", {{"class", "under"}}, text + "Each number links to its raw samples.");
}

}  // namespace

Section cost_section(const PageData& page_data) {
  constexpr std::size_t kMostOpen = 5;
  Markup content = warnings_of(page_data.benches);
  std::size_t left_out = 0;
  for (const Bench& bench : page_data.benches) {
    if (!bench.is_whole) {
      ++left_out;
      continue;
    }
    Markup part = about(bench) + remarks_on(bench) + launch_ladder(bench);
    for (const Quantity& quantity : quantities_of(bench)) {
      part += ladder_of(bench, quantity);
    }
    part += steps_link(bench) + calibration(bench) + missing_numbers(bench);
    content += foldable(element("b", title_of(bench)), part, anchor_of_bench(bench),
                        page_data.benches.size() <= kMostOpen);
  }
  if (left_out > 0) {
    content += element("p", fmt::format("{} more: the table of verdicts and the comparison have "
                                        "them, and so has a page of each alone.",
                                        counted(left_out, "record")));
  }
  return {"cost", "Cost", "", content};
}

}  // namespace assay::page
