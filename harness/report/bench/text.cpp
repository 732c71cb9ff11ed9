// Writes bench records as a text table.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/report/bench/record.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {
namespace {

/// The column head if units differ.
constexpr const char* kDiffers = "number";

/// The common unit of the rows, or kDiffers.
std::string unit_of(const std::vector<BenchMeasurement>& rows) {
  const auto differs = [&](const BenchMeasurement& row) { return row.unit != rows.front().unit; };
  return rows.empty() || std::ranges::any_of(rows, differs) ? kDiffers : rows.front().unit;
}

/// Three significant digits.
std::string number(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

std::string range(const std::optional<BenchInterval>& interval) {
  return interval ? number(interval->low) + " - " + number(interval->high) : "-";
}

std::string in_short(const std::optional<BenchFigure>& figure) {
  return figure ? number(figure->center) + " ns" : "unknown";
}

std::string machine_lines(const BenchRecord& record) {
  const BenchEnvironment& machine = record.environment;
  const BenchBuild& build = record.meta.build;
  std::string text = fmt::format("{}; {}", one_line(machine.machine), machine.kernel);
  if (machine.load_start) text += fmt::format("; load {:.1f}", *machine.load_start);
  text += fmt::format("; assay {} {}, {} {}\n", build.tool, build.revision.substr(0, 12),
                      build.build_type, build.compiler);
  const BenchCalibration& floors = record.calibration;
  if (has_counts_only(record)) return text;
  return text + fmt::format("clock: {} per read, resolution {}; empty loop: {}; null call: {}\n",
                            in_short(floors.timer_cost_ns), in_short(floors.timer_resolution_ns),
                            in_short(floors.empty_loop_ns), in_short(floors.null_call_ns));
}

/// The limiting resource: memory if the bandwidth is at least a tenth of the largest copy's, else a
/// launch or a pair of events.
std::string beside_its_floor(const BenchRecord& record, const BenchMeasurement& row) {
  const auto bandwidth = bandwidth_of(row);
  std::string text = bandwidth ? fmt::format(" {:>6} GB/s", number(*bandwidth)) : "";
  const auto share = share_of_roof(record, row);
  if (share.value_or(0) >= 0.1) return text + fmt::format(", {:.0f} % of the copy", 100 * *share);
  const auto floor = floor_of(record, row);
  if (!floor) return text;
  return text +
         fmt::format("{} {:>6} {}", text.empty() ? "" : ",", number(floor->multiple), floor->unit);
}

std::string figures(const BenchRecord& record, const BenchMeasurement& row, std::size_t width) {
  const bool has_failed = row.status == BenchStatus::kFailed;
  if (has_failed || !row.center) {
    return (has_failed ? "  FAILED: " : "  - ") + one_line(row.reason.value_or(""));
  }
  const BenchMultiple calls = row.null_calls.value_or(BenchMultiple{});
  const std::string center = row.exact ? fmt::format("{}", *row.center) : number(*row.center);
  return fmt::format("{:>{}} {:>17} {:>10} {:>17} {:>9}{}", center, width, range(row.interval),
                     row.null_calls ? number(calls.center) : "-", range(calls.interval),
                     row.processes.size(), beside_its_floor(record, row));
}

using CaseKey = std::pair<std::string, std::string>;

CaseKey key_of(const BenchMeasurement& row) {
  return {full_name(row.case_name, row.axes), row.quantity};
}

/// The cases of a subject with results. Without any, all cases, to show the reasons.
std::set<CaseKey> shown_cases(const std::vector<BenchMeasurement>& rows) {
  std::set<CaseKey> all;
  std::set<CaseKey> shown;
  for (const BenchMeasurement& row : rows) {
    all.insert(key_of(row));
    if (row.status != BenchStatus::kUnsupported) shown.insert(key_of(row));
  }
  return shown.empty() ? all : shown;
}

std::string about_others(const std::vector<BenchMeasurement>& rows,
                         const std::set<CaseKey>& shown) {
  std::set<CaseKey> others;
  for (const BenchMeasurement& row : rows) {
    if (!shown.contains(key_of(row))) others.insert(key_of(row));
  }
  if (others.empty()) return "";
  return fmt::format("not shown: {} {} that no subject here supports\n", others.size(),
                     others.size() == 1 ? "case" : "cases");
}

std::string table(const BenchRecord& record) {
  const std::vector<BenchMeasurement>& all = record.measurements;
  const std::set<CaseKey> shown = shown_cases(all);
  std::vector<BenchMeasurement> rows;
  std::ranges::copy_if(all, std::back_inserter(rows),
                       [&](const BenchMeasurement& row) { return shown.contains(key_of(row)); });
  const std::string unit = unit_of(rows);
  const std::size_t width = std::max(unit.size(), std::size_t{9});
  std::size_t names = 4;
  std::size_t subjects = 7;
  for (const BenchMeasurement& row : rows) {
    names = std::max(names, full_name(row.case_name, row.axes).size());
    subjects = std::max(subjects, row.subject.size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}} {:>{}} {:>17} {:>10} {:>17} {:>9}\n", "case", names, "subject",
                  subjects, unit, width, "95 %", "null calls", "95 %", "processes");
  std::string before;
  for (const BenchMeasurement& row : rows) {
    const std::string name = full_name(row.case_name, row.axes);
    text += fmt::format("{:<{}}  {:<{}} {}{}\n", name == before ? "" : name, names, row.subject,
                        subjects, figures(record, row, width),
                        unit == kDiffers && row.center ? " " + row.unit : "");
    before = name;
  }
  return text + about_others(all, shown);
}

}  // namespace

std::string to_text(const BenchRecord& record) {
  std::string text = record.synthetic ? "SYNTHETIC: no machine measured these numbers\n" : "";
  text += machine_lines(record) + table(record);
  if (record.noise_floor) {
    text += fmt::format("noise floor: identical subjects differ by up to {:.1f} % ({} pairs)\n",
                        100 * record.noise_floor->relative, record.noise_floor->pairs.size());
  }
  if (record.meta.audited.value_or(false)) text += fmt::format("{}\n", kAudited);
  for (const BenchWarning& warning : record.warnings) {
    text += fmt::format("warning: {}\n", warning.text);
  }
  return text;
}

}  // namespace assay::report
