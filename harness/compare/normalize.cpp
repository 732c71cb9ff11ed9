// Dividing the numbers of a process by the null call of the same process.
#include "harness/compare/normalize.hpp"

#include <algorithm>

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchProcess;

bool has_null_call(const BenchProcess& process) { return process.null_call_ns.value_or(0) > 0; }

void divide(BenchProcess& process) {
  process.median /= *process.null_call_ns;
  for (double& sample : process.samples) sample /= *process.null_call_ns;
}

void drop(BenchMeasurement& measurement) {
  measurement.status = report::BenchStatus::kUnsupported;
  measurement.reason = "no null call was timed beside it";
  measurement.center = std::nullopt;
  measurement.interval = std::nullopt;
  measurement.processes.clear();
}

void normalize(BenchMeasurement& measurement) {
  if (measurement.unit != "ns") return;
  measurement.unit = "null calls";
  if (measurement.status != report::BenchStatus::kMeasured) return;
  if (!measurement.null_calls || !std::ranges::all_of(measurement.processes, has_null_call)) {
    return drop(measurement);
  }
  std::ranges::for_each(measurement.processes, divide);
  measurement.center = measurement.null_calls->center;
  measurement.interval = measurement.null_calls->interval;
}

}  // namespace

report::BenchRecord in_null_calls(report::BenchRecord record) {
  std::ranges::for_each(record.measurements, normalize);
  return record;
}

}  // namespace assay::compare
