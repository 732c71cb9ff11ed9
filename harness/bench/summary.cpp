// Computes figures over processes, warnings, and the verdict.
#include "harness/bench/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/stats/median.hpp"
#include "harness/stats/signed_ranks.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

constexpr double kConfidence = 0.95;

bool is_measured(const BenchMeasurement& cell) { return cell.status == BenchStatus::kMeasured; }

bool is_same_case(const BenchMeasurement& left, const BenchMeasurement& right) {
  return left.case_name == right.case_name && left.axes == right.axes &&
         left.quantity == right.quantity;
}

/// The ratio of two measurements, from pairs of processes of the same round, which saw the machine
/// in the same state. Nothing where a clock that is too coarse for the loop measured zero.
std::optional<double> ratio_by_round(const BenchMeasurement& of, const BenchMeasurement& to) {
  std::vector<double> logs;
  for (const report::BenchProcess& mine : of.processes) {
    const auto other = std::ranges::find(to.processes, mine.index, &report::BenchProcess::index);
    if (other == to.processes.end()) continue;
    if (!(mine.median > 0) || !(other->median > 0)) return std::nullopt;
    logs.push_back(std::log(value_beside(mine, *other) / value_beside(*other, mine)));
  }
  if (logs.empty()) return std::nullopt;
  return std::exp(stats::WalshAverages(logs).middle());
}

void add_pairs(const report::BenchSubject& copy, const std::vector<BenchMeasurement>& measurements,
               std::vector<report::BenchPair>& pairs) {
  for (const BenchMeasurement& mine : measurements) {
    if (mine.subject != copy.copy_of || !is_measured(mine)) continue;
    const auto other = std::ranges::find_if(measurements, [&](const BenchMeasurement& cell) {
      return cell.subject == copy.id && is_same_case(mine, cell);
    });
    if (other == measurements.end() || !is_measured(*other)) continue;
    if (const std::optional<double> ratio = ratio_by_round(*other, mine)) {
      pairs.push_back({mine.case_name, mine.axes, mine.quantity, mine.subject, copy.id, *ratio});
    }
  }
}

/// Nearest-rank percentile.
double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

report::BenchFigure figure_of(std::vector<double> medians) {
  const stats::Median middle = stats::median_of(medians, kConfidence);
  report::BenchFigure figure{middle.value, std::nullopt, {}};
  if (medians.size() >= kFewestForInterval) {
    figure.interval = report::BenchInterval{middle.low, middle.high, kConfidence};
  }
  figure.medians = std::move(medians);
  return figure;
}

void summarize(BenchMeasurement& cell) {
  if (!is_measured(cell)) return;
  std::vector<double> medians;
  std::vector<double> multiples;
  for (const report::BenchProcess& process : cell.processes) {
    medians.push_back(process.median);
    const double null_call = process.null_call_ns.value_or(0);
    if (null_call > 0) multiples.push_back(process.median / null_call);
  }
  const report::BenchFigure figure = figure_of(std::move(medians));
  cell.center = figure.center;
  cell.interval = figure.interval;
  if (multiples.empty()) return;
  const report::BenchFigure calls = figure_of(std::move(multiples));
  cell.null_calls = report::BenchMultiple{calls.center, calls.interval};
}

report::BenchCalibration calibration_of(const std::vector<Floors>& floors) {
  if (floors.empty()) return {};
  const auto figure = [&](double Floors::*member) {
    std::vector<double> medians;
    for (const Floors& process : floors) medians.push_back(process.*member);
    return figure_of(std::move(medians));
  };
  return {figure(&Floors::timer_cost_ns), figure(&Floors::timer_resolution_ns),
          figure(&Floors::empty_loop_ns), figure(&Floors::null_call_ns)};
}

std::optional<report::BenchNoiseFloor> noise_floor_of(
    const std::vector<report::BenchSubject>& subjects,
    const std::vector<BenchMeasurement>& measurements) {
  report::BenchNoiseFloor floor;
  for (const report::BenchSubject& subject : subjects) {
    if (subject.copy_of) add_pairs(subject, measurements, floor.pairs);
  }
  if (floor.pairs.empty()) return std::nullopt;
  std::vector<double> distances;
  for (const report::BenchPair& pair : floor.pairs) {
    distances.push_back(std::max(pair.ratio, 1 / pair.ratio) - 1);
  }
  floor.relative = percentile(std::move(distances), 0.95);
  return floor;
}

// The warnings.

namespace {

using report::BenchRecord;
using report::BenchWarning;

/// With fewer processes, the corrected exact tests decide too few cases.
constexpr std::int64_t kFewestToCompare = 7;

double highest_load(const BenchRecord& record) {
  double highest =
      std::max(record.environment.load_start.value_or(0), record.environment.load_end.value_or(0));
  for (const report::BenchMeasurement& cell : record.measurements) {
    for (const report::BenchProcess& process : cell.processes) {
      highest = std::max(highest, process.load.value_or(0));
    }
  }
  return highest;
}

bool is_optimised(const std::string& build_type) {
  return build_type == "Release" || build_type == "RelWithDebInfo" || build_type == "MinSizeRel";
}

void warn_of_counts(const BenchRecord& record, std::vector<BenchWarning>& warnings) {
  for (const report::BenchMeasurement& cell : record.measurements) {
    if (!cell.exact || cell.processes.empty()) continue;
    const auto [low, high] = std::ranges::minmax(cell.processes, {}, &report::BenchProcess::median);
    if (low.median == high.median) continue;
    warnings.push_back(
        {"not_repeatable", fmt::format("{} of {} took {} to {} {}: not repeatable",
                                       report::full_name(cell.case_name, cell.axes), cell.subject,
                                       low.median, high.median, cell.unit)});
  }
}

void warn_of_machine(const BenchRecord& record, std::vector<BenchWarning>& warnings) {
  const report::BenchEnvironment& machine = record.environment;
  const double load = highest_load(record);
  if (load > static_cast<double>(machine.cores)) {
    warnings.push_back({"load", fmt::format("the load was up to {:.1f} on {} cores: other work "
                                            "has slowed what was timed",
                                            load, machine.cores)});
  }
  if (machine.governor && *machine.governor != "performance") {
    warnings.push_back({"governor", fmt::format("the CPU's clock is governed by '{}': it changes "
                                                "with the load",
                                                *machine.governor)});
  }
  if (machine.virtualization != "none") {
    warnings.push_back({"virtual", fmt::format("the machine is virtual ({}): others may share "
                                               "its cores",
                                               machine.virtualization)});
  }
}

/// Warns if the GPU's clock was below 3/4 of its maximum for samples of device time, as on a GPU
/// that was cold or throttled. While the host is timed, an idle GPU is normal.
void warn_of_clocks(const BenchRecord& record, std::vector<BenchWarning>& warnings) {
  if (record.environment.devices.empty()) return;
  const auto& most = record.environment.devices.front().most_sm_clock_mhz;
  if (!most) return;
  std::size_t all = 0;
  std::size_t slow = 0;
  for (const report::BenchMeasurement& cell : record.measurements) {
    if (!cell.quantity.starts_with("device.")) continue;
    for (const report::BenchProcess& process : cell.processes) {
      if (!process.sm_clocks_mhz) continue;
      all += process.sm_clocks_mhz->size();
      slow += static_cast<std::size_t>(std::ranges::count_if(
          *process.sm_clocks_mhz, [&](std::int64_t clock) { return 4 * clock < 3 * *most; }));
    }
  }
  if (slow == 0) return;
  warnings.push_back(
      {"clock", fmt::format("the GPU's clock was below 3/4 of its {} MHz in {} of {} samples",
                            *most, slow, all)});
}

/// Only for times: counts do not depend on the GPU's speed.
void warn_of_gpus(const BenchRecord& record, std::vector<BenchWarning>& warnings) {
  std::size_t all = 0;
  std::size_t throttled = 0;
  std::set<std::string> reasons;
  for (const report::BenchMeasurement& cell : record.measurements) {
    for (const report::BenchProcess& process : cell.processes) {
      ++all;
      if (!process.throttled_by) continue;
      ++throttled;
      reasons.insert(*process.throttled_by);
    }
  }
  if (throttled > 0) {
    warnings.push_back({"throttled", fmt::format("GPUs were throttled ({}) in {} of {} results",
                                                 fmt::join(reasons, ", "), throttled, all)});
  }
  for (const report::BenchDevice& device : record.environment.devices) {
    if (!device.mig.value_or(false)) continue;
    warnings.push_back({"mig", device.name + " is partitioned (MIG)"});
  }
}

void warn_of_build(const report::BenchBuild& build, const std::string& whose,
                   std::vector<BenchWarning>& warnings) {
  if (!is_optimised(build.build_type)) {
    warnings.push_back({"debug", fmt::format("{} is of type '{}', which is not optimised", whose,
                                             build.build_type)});
  }
  if (build.dirty) {
    warnings.push_back({"dirty", whose + " has uncommitted changes"});
  }
}

void warn_of_run(const BenchRecord& record, std::vector<BenchWarning>& warnings) {
  if (record.meta.device_clock) {
    warnings.push_back({"activity",
                        "device times are sums of the profiler's records of kernels, copies and "
                        "memsets, without the gaps between them"});
  }
  const bool has_times = !report::has_counts_only(record);
  if (record.meta.quick && has_times) {
    warnings.push_back({"quick", "a quick run: too short for comparisons"});
  }
  if (record.meta.interrupted) {
    warnings.push_back({"interrupted",
                        "the run was interrupted: cases have fewer processes than "
                        "planned, or none"});
  }
  if (record.meta.processes < kFewestToCompare && has_times) {
    warnings.push_back({"few_processes", fmt::format("{} processes: comparisons need at least {}",
                                                     record.meta.processes, kFewestToCompare)});
  }
}

}  // namespace

std::vector<BenchWarning> warnings_about(const BenchRecord& record) {
  std::vector<BenchWarning> warnings;
  if (!report::has_counts_only(record)) {
    warn_of_machine(record, warnings);
    warn_of_gpus(record, warnings);
    warn_of_clocks(record, warnings);
  }
  warn_of_counts(record, warnings);
  warn_of_build(record.meta.build, "the build", warnings);
  for (const report::BenchSubject& subject : record.subjects) {
    if (subject.build) warn_of_build(*subject.build, "the build of " + subject.id, warnings);
  }
  warn_of_run(record, warnings);
  return warnings;
}

// The verdict.

namespace {

using report::BenchSubject;

std::size_t count(const BenchRecord& record, BenchStatus status) {
  return static_cast<std::size_t>(
      std::ranges::count(record.measurements, status, &BenchMeasurement::status));
}

bool has_run(const BenchMeasurement& cell) {
  return cell.status == BenchStatus::kMeasured || cell.status == BenchStatus::kSimulated;
}

/// The first subject that was requested by name and has run nothing; empty if there is
/// none.
std::string idle_subject(const BenchRecord& record, const std::vector<std::string>& named) {
  const auto is_idle = [&](const BenchSubject& subject) {
    return std::ranges::none_of(record.measurements, [&](const BenchMeasurement& cell) {
      return cell.subject == subject.id && has_run(cell);
    });
  };
  for (const BenchSubject& subject : record.subjects) {
    if (std::ranges::find(named, subject.subject) != named.end() && is_idle(subject))
      return subject.subject;
  }
  return "";
}

int exit_code_of(const BenchRecord& record, const std::string& idle) {
  if (record.meta.interrupted) return kExitInterrupted;
  if (count(record, BenchStatus::kFailed) > 0) return kExitFailure;
  const bool ran = std::ranges::any_of(record.measurements, has_run);
  return ran && idle.empty() ? kExitOk : kExitNothingRan;
}

std::string verdict(const BenchRecord& record, const std::string& idle) {
  std::string line = fmt::format("{} {} of {} measured", word_of(record.meta.exit_code),
                                 count(record, BenchStatus::kMeasured), record.measurements.size());
  const auto add = [&](BenchStatus status, const char* word) {
    if (const std::size_t found = count(record, status); found > 0) {
      line += fmt::format(", {} {}", found, word);
    }
  };
  add(BenchStatus::kFailed, "failed");
  add(BenchStatus::kSimulated, "simulated");
  add(BenchStatus::kUnsupported, "unsupported");
  add(BenchStatus::kNotRun, "not run");
  if (!idle.empty()) line += fmt::format(", no result of {}", idle);
  return line + fmt::format("; {} process{} each; {:.1f} s", record.meta.processes,
                            record.meta.processes == 1 ? "" : "es", record.meta.seconds);
}

}  // namespace

void judge(BenchRecord& record, const std::vector<std::string>& named) {
  const std::string idle = idle_subject(record, named);
  record.meta.exit_code = exit_code_of(record, idle);
  record.meta.line = verdict(record, idle);
}

}  // namespace assay::bench
