// Computes the warnings of a bench record.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/bench/summary.hpp"

namespace assay::bench {
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

}  // namespace assay::bench
