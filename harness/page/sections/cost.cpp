// Costs: notes on the numbers, then one ladder per quantity, from the cheapest to the most
// expensive case.
#include "harness/page/data/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

// A table of numbers with one column per subject; the numbers of a row are also dots on a common
// scale.

struct LadderRow {
  Markup head;
  std::string name;                                         ///< alternative text of the dots
  std::vector<const report::BenchMeasurement*> of_subject;  ///< as in `CostRow`
};

struct Ladder {
  std::string caption;
  std::string unit;
  std::vector<LadderRow> rows;
  const char* head = "Case";
  bool shows_quantity = false;  ///< adds a column with each rung's quantity
  bool sorts = true;
};

using report::BenchMeasurement;

/// The powers of ten that enclose all numbers of a table.
struct Scale {
  double from = 0, to = 0;
};

void widen(Scale& scale, double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  const double below = std::pow(10, std::floor(std::log10(value)));
  scale.from = scale.from == 0 ? below : std::min(scale.from, below);
  scale.to = std::max(scale.to, below * 10);
}

const BenchMeasurement* with_number(const LadderRow& row, std::size_t subject) {
  const BenchMeasurement* measured = row.of_subject[subject];
  return measured != nullptr && measured->center ? measured : nullptr;
}

struct Place {
  const Bench& bench;
  const Ladder& ladder;
  Scale scale;
  std::vector<std::size_t> subjects;  ///< subjects with a number, without copies
};

Place place_of(const Bench& bench, const Ladder& ladder) {
  Place place{bench, ladder, {}, {}};
  const auto& subjects = bench.record->subjects;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (subjects[i].copy_of) continue;
    bool has_number = false;
    for (const LadderRow& row : ladder.rows) {
      const BenchMeasurement* measured = with_number(row, i);
      if (measured == nullptr) continue;
      has_number = true;
      widen(place.scale, *measured->center);
    }
    if (has_number) place.subjects.push_back(i);
  }
  return place;
}

Cell drawing_cell(const Place& place, const LadderRow& row) {
  Dots dots{{}, place.scale.from, place.scale.to};
  std::string words;
  for (const std::size_t i : place.subjects) {
    const BenchMeasurement* measured = with_number(row, i);
    if (measured == nullptr || *measured->center <= 0) continue;
    const double center = *measured->center;
    const double low = measured->interval ? measured->interval->low : center;
    const double high = measured->interval ? measured->interval->high : center;
    const std::string text =
        fmt::format("{} {} {}", measured->subject, number_text(*measured), place.ladder.unit);
    const std::string interval = interval_text(center, measured->interval);
    dots.dots.push_back({series_of(place.bench, measured->subject), center,
                         std::max(low, center / 1e3), high,
                         text + (interval.empty() ? "" : fmt::format(" ({})", interval))});
    words += (words.empty() ? "" : ", ") + text;
  }
  if (dots.dots.empty()) return {};
  return {dots_mark(dots, {row.name, words}), {}};
}

/// The interval, with a mark if the number is unreliable.
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

/// The reason for a missing number is shown once, in the table of missing numbers.
Cell ladder_cell(const Place& place, const BenchMeasurement* measured) {
  if (measured == nullptr) return {};
  if (measured->status == report::BenchStatus::kFailed) return {lacking(*measured), {}};
  if (!measured->center) return {element("span", {{"class", "quiet"}}, "–"), {}, true};
  const double center = *measured->center;
  return number(center,
                link_to(anchor_of_measurement(place.bench, *measured), number_text(*measured)) +
                    small_print(*measured));
}

std::string quantity_of(const LadderRow& row) {
  for (const BenchMeasurement* measured : row.of_subject) {
    if (measured != nullptr) return measured->quantity;
  }
  return "";
}

Table empty_table(const Place& place) {
  Table table{place.ladder.caption, {place.ladder.head}, {}, place.ladder.sorts};
  if (place.ladder.shows_quantity) table.columns.emplace_back("Quantity");
  for (const std::size_t i : place.subjects) {
    const report::BenchSubject& subject = place.bench.record->subjects[i];
    table.columns.push_back(series_symbol(series_of(place.bench, subject.id)) + " " +
                            breakable(title_of(subject)));
  }
  if (place.scale.to > 0 && !place.bench.is_brief)
    table.columns.push_back(axis_mark({place.scale.from, place.scale.to, place.ladder.unit}));
  return table;
}

/// Empty if there are no rungs.
Markup to_markup(const Bench& bench, const Ladder& ladder) {
  if (ladder.rows.empty()) return {};
  const Place place = place_of(bench, ladder);
  Table table = empty_table(place);
  for (const LadderRow& row : ladder.rows) {
    TableRow line{{{row.head, {}}}, ""};
    if (ladder.shows_quantity) line.cells.push_back({Markup(quantity_of(row)), {}});
    for (const std::size_t i : place.subjects)
      line.cells.push_back(ladder_cell(place, row.of_subject[i]));
    if (place.scale.to > 0 && !bench.is_brief) line.cells.push_back(drawing_cell(place, row));
    table.rows.push_back(std::move(line));
  }
  table.drop_empty_columns();
  return to_markup(table);
}

// The section.

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

// The launch ladder: from a call without a device to a launch with the wait for its work.

namespace {

struct Stage {
  const char* words;
  const char* quantity;
  const char* name;  ///< the case with the axes that matter
};

constexpr std::array<Stage, 5> kStages{{
    {"A call through the dispatcher, without a device", "host.dispatch_ns",
     "dispatch/typed/tensors=1"},
    {"A node of a replayed graph", "graph.node_ns", "graph/kernel"},
    {"A launch, until its call returns", "host.launch_ns", "launch/kernel"},
    {"A launch, one of many before a wait", "host.submit_ns", "submit/kernel"},
    {"A launch and the wait for it", "e2e.sync_ns", "sync/kernel"},
}};

LadderRow ladder_row_of(const Bench& bench, const Stage& stage) {
  LadderRow row{Markup(stage.words), stage.words, {}};
  for (const report::BenchSubject& subject : bench.record->subjects)
    row.of_subject.push_back(first_of(bench, subject.id, stage.quantity, stage.name));
  return row;
}

bool has_number(const LadderRow& row) {
  return std::ranges::any_of(row.of_subject,
                             [](const auto* measured) { return measured != nullptr; });
}

}  // namespace

Markup launch_ladder(const Bench& bench) {
  constexpr std::size_t kLeast = 3;  // the minimum for a ladder
  Ladder ladder{"The smallest launch, stage by stage, in ns", "ns", {}, "Stage", true, false};
  for (const Stage& stage : kStages) {
    LadderRow row = ladder_row_of(bench, stage);
    if (has_number(row)) ladder.rows.push_back(std::move(row));
  }
  if (ladder.rows.size() < kLeast) return {};
  std::string floor;
  if (const auto& call = bench.record->calibration.null_call_ns)
    floor = fmt::format("The floor, a call through a function pointer, takes {} ns here.",
                        figure(call->center));
  return element("h3", "The launch ladder") +
         (floor.empty() ? Markup() : element("p", {{"class", "under"}}, floor)) +
         to_markup(bench, ladder);
}

}  // namespace assay::page
