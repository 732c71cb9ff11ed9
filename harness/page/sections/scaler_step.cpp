// A training step with a gradient scaler: the device operations of each call, as stacked bars.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/data/steps.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

constexpr double kWide = 300;

const char* colour_of(std::size_t call) { return series_colour(call); }

/// The steps of a table share a scale, so that their lengths are comparable. A step that is many
/// times longer than the others is cut, so that these remain visible.
double longest_of(const std::vector<TrainingStep>& steps) {
  constexpr double kMost = 24;
  double longest = 0;
  for (const TrainingStep& step : steps) longest = std::max(longest, step.all("launches"));
  return std::min(longest, kMost);
}

Cell stack_of(const TrainingStep& step, double longest) {
  std::vector<Segment> segments;
  std::string words;
  for (std::size_t call = 0; call < kStepCalls.size(); ++call) {
    const report::BenchMeasurement* launches = step.counts[call].front();
    if (launches == nullptr) continue;
    segments.push_back({*launches->center, colour_of(call),
                        fmt::format("{} {}", kStepCalls[call], *launches->center)});
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", kStepCalls[call], *launches->center);
  }
  return {share_bar(segments, longest, kWide, {"Launches by call", words}), {}};
}

Cell count_cell(const Bench& bench, const report::BenchMeasurement* measured) {
  if (measured == nullptr) return {};
  const double count = *measured->center;
  return number(count,
                link_to(anchor_of_measurement(bench, *measured), fmt::format("{:g}", count)));
}

Cell sum_cell(const TrainingStep& step, const char* count) {
  if (!step.has(count)) return {};
  return number(step.all(count), fmt::format("{:g}", step.all(count)));
}

TableRow row_of(const Bench& bench, const TrainingStep& step, double longest, bool of_one) {
  TableRow row;
  row.cells = {{Markup(step.name), {}}, {of_one ? Markup() : Markup(step.subject), {}}};
  for (const auto& call : step.counts) row.cells.push_back(count_cell(bench, call.front()));
  for (const char* count : kStepCounts) row.cells.push_back(sum_cell(step, count));
  row.cells.push_back(stack_of(step, longest));
  return row;
}

Markup table_of(const Bench& bench, const std::vector<TrainingStep>& steps) {
  const bool of_one = std::ranges::all_of(
      steps, [&](const TrainingStep& step) { return step.subject == steps.front().subject; });
  Table table{fmt::format("Launches of each call of a step, and all device operations, {}in {}",
                          of_one ? "on " + steps.front().subject + ", " : "", bench.source->name),
              {"Step", "Subject"},
              {},
              true};
  for (std::size_t call = 0; call < kStepCalls.size(); ++call)
    table.columns.push_back(colour_symbol(colour_of(call)) + " " + kStepCalls[call]);
  for (const char* column : {"Launches", "Copies", "Waits", "Allocations", "Launches, stacked"})
    table.columns.emplace_back(column);
  const double longest = longest_of(steps);
  std::vector<TrainingStep> sorted = steps;
  std::ranges::stable_sort(sorted, {}, [&](const TrainingStep& step) {
    // Subjects of a step are adjacent; steps are in the order of the record.
    return std::ranges::find(steps, step.name, &TrainingStep::name) - steps.begin();
  });
  for (const TrainingStep& step : sorted)
    table.rows.push_back(row_of(bench, step, longest, of_one));
  table.drop_empty_columns();
  return to_markup(table);
}

}  // namespace

Section scaler_step_section(const PageData& page_data) {
  Markup content;
  for (const Bench& bench : page_data.benches) {
    if (!bench.is_whole) continue;
    const std::vector<TrainingStep> steps = steps_of(bench);
    if (!steps.empty()) content += remarks_on(bench) + table_of(bench, steps);
  }
  if (!content.empty()) {
    content = element("p",
                      "A training step with a gradient scaler is four calls: the loss is scaled, "
                      "gradients are unscaled and checked, the optimizer steps unless one is "
                      "infinite, the scale is updated. A fused optimizer unscales inside its step. "
                      "Copies are those between tensors; a wait is the host reading a value of a "
                      "device; allocations are new storages. The second step is counted: "
                      "the first creates the optimizer's state.") +
              content;
  }
  return {"scaler-step", "Scaler step", "", content};
}

}  // namespace assay::page
