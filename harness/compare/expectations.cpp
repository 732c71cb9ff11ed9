// Compares counts of a record with expected counts, and updates these.
#include "harness/compare/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchStatus;
using Counts = std::map<std::string, std::map<std::string, double>>;

bool is_for(const ExpectedBuild& build, const BenchRecord& record) {
  const report::BenchBuild& of = record.meta.build;
  return build.compiler == of.compiler && build.build_type == of.build_type &&
         build.flags == of.flags;
}

BenchMeasurement expected(const std::string& subject, const std::string& name, double count,
                          const BenchRecord& record) {
  BenchMeasurement made;
  made.case_name = name;
  for (const BenchMeasurement& row : record.measurements) {
    if (report::full_name(row.case_name, row.axes) != name) continue;
    made.case_name = row.case_name;
    made.axes = row.axes;
  }
  made.quantity = "instr.count";
  made.unit = "instructions";
  made.better = "lower";
  made.exact = made.checked = true;
  made.subject = subject;
  made.status = BenchStatus::kMeasured;
  made.center = count;
  made.processes.push_back({0, 0, count, {count}, 1, true, {}, {}});
  return made;
}

void refuse_unreliable(const BenchRecord& record) {
  const auto refuse = [](const std::string& what) {
    throw Invalid("no expectations can be made from this record: " + what);
  };
  if (record.synthetic) refuse("it is synthetic");
  if (record.meta.interrupted || !record.meta.complete) refuse("it was interrupted");
  if (record.meta.quick) refuse("it is a quick run");
  for (const report::BenchWarning& warning : record.warnings) {
    if (warning.kind == "not_repeatable") refuse(warning.text);
  }
  for (const BenchMeasurement& row : record.measurements) {
    if (row.status != BenchStatus::kFailed) continue;
    refuse(fmt::format("{} of {} failed: {}", report::full_name(row.case_name, row.axes),
                       row.subject, row.reason.value_or("")));
  }
}

bool is_copy(const BenchRecord& record, const std::string& id) {
  const auto found = std::ranges::find(record.subjects, id, &report::BenchSubject::id);
  return found != record.subjects.end() && (found->copy_of || found->build);
}

Counts counts_in(const BenchRecord& record) {
  Counts counts;
  for (const BenchMeasurement& row : record.measurements) {
    if (!row.exact || !row.center || is_copy(record, row.subject)) continue;
    counts[row.subject][report::full_name(row.case_name, row.axes)] = *row.center;
  }
  return counts;
}

std::optional<double> count_in(const Counts& counts, const std::string& subject,
                               const std::string& name) {
  const auto of = counts.find(subject);
  if (of == counts.end()) return std::nullopt;
  const auto found = of->second.find(name);
  return found == of->second.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Accepted> changes(const Counts& before, const Counts& now) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Counts* counts : {&before, &now}) {
    for (const auto& [subject, of] : *counts) {
      for (const auto& [name, count] : of) names.emplace(subject, name);
    }
  }
  std::vector<Accepted> changed;
  for (const auto& [subject, name] : names) {
    const auto was = count_in(before, subject, name);
    const auto is = count_in(now, subject, name);
    if (was != is) changed.push_back({subject, name, was, is});
  }
  return changed;
}

}  // namespace

const ExpectedBuild* build_for(const Expectations& expectations, const BenchRecord& record) {
  const auto found = std::ranges::find_if(
      expectations.builds, [&](const ExpectedBuild& build) { return is_for(build, record); });
  return found == expectations.builds.end() ? nullptr : &*found;
}

BenchRecord baseline_of(const ExpectedBuild& build, const BenchRecord& record) {
  BenchRecord baseline = record;
  baseline.meta.build.dirty = baseline.meta.quick = baseline.meta.interrupted = false;
  baseline.meta.complete = true;
  baseline.meta.started.clear();  // it is no run
  baseline.warnings.clear();
  baseline.measurements.clear();
  for (const auto& [subject, counts] : build.counts) {
    for (const auto& [name, count] : counts) {
      baseline.measurements.push_back(expected(subject, name, count, record));
    }
  }
  return baseline;
}

Thresholds thresholds_of(const Expectations& expectations) {
  Thresholds thresholds;
  thresholds.margin = thresholds.exact_margin = expectations.margin;
  thresholds.fail_on = {FailOn::kRegression, FailOn::kWin, FailOn::kChanged, FailOn::kNew};
  return thresholds;
}

std::vector<Accepted> accept(Expectations& expectations, const BenchRecord& record) {
  refuse_unreliable(record);
  Counts now = counts_in(record);
  if (now.empty()) {
    throw Invalid("this record holds no counts: `assay bench --count` makes one that does");
  }
  auto build = std::ranges::find_if(expectations.builds,
                                    [&](const ExpectedBuild& one) { return is_for(one, record); });
  if (build == expectations.builds.end()) {
    const report::BenchBuild& of = record.meta.build;
    expectations.builds.push_back({of.compiler, of.build_type, of.flags, {}});
    build = std::prev(expectations.builds.end());
  }
  const Counts before = std::exchange(build->counts, std::move(now));
  return changes(before, build->counts);
}

}  // namespace assay::compare
