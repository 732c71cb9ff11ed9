// Dividing the numbers of a process by another number of the same process.
#include "harness/compare/normalize.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/stats/median.hpp"

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchProcess;

constexpr double kConfidence = 0.95;

bool has_null_call(const BenchProcess& process) { return process.null_call_ns.value_or(0) > 0; }

void divide(BenchProcess& process) {
  process.median /= *process.null_call_ns;
  for (double& sample : process.samples) sample /= *process.null_call_ns;
}

void drop(BenchMeasurement& measurement, const char* reason) {
  measurement.status = report::BenchStatus::kUnsupported;
  measurement.reason = reason;
  measurement.center = std::nullopt;
  measurement.interval = std::nullopt;
  measurement.processes.clear();
}

void normalize(BenchMeasurement& measurement) {
  if (measurement.unit != "ns") return;
  measurement.unit = "null calls";
  if (measurement.status != report::BenchStatus::kMeasured) return;
  if (!measurement.null_calls || !std::ranges::all_of(measurement.processes, has_null_call)) {
    return drop(measurement, "no null call was timed beside it");
  }
  std::ranges::for_each(measurement.processes, divide);
  measurement.center = measurement.null_calls->center;
  measurement.interval = measurement.null_calls->interval;
}

/// Of every sample: `factor` over its time.
void invert(BenchProcess& process, double factor) {
  process.median = factor / process.median;
  for (double& sample : process.samples) sample = factor / sample;
}

/// By the roof's number in the same process; those without one are left out.
void divide_by_roof(BenchMeasurement& measurement, const BenchMeasurement& roof) {
  const double bytes = static_cast<double>(*measurement.bytes) / static_cast<double>(*roof.bytes);
  std::vector<BenchProcess> kept;
  std::vector<double> shares;
  for (BenchProcess& process : measurement.processes) {
    const auto beside = std::ranges::find(roof.processes, process.index, &BenchProcess::index);
    if (beside == roof.processes.end() || !(process.median > 0)) continue;
    const double roof_ns = beside->median;  // the roof itself may be what is divided
    invert(process, bytes * roof_ns);
    shares.push_back(process.median);
    kept.push_back(std::move(process));
  }
  if (kept.empty()) return drop(measurement, "no copy was timed in the same process");
  measurement.processes = std::move(kept);
  const stats::Median middle = stats::median_of(shares, kConfidence);
  measurement.center = middle.value;
  measurement.interval = report::BenchInterval{middle.low, middle.high, kConfidence};
}

void normalize_to_roof(BenchMeasurement& measurement, const report::BenchRecord& record) {
  if (measurement.unit != "ns") return;
  measurement.unit = "shares of the roof";
  measurement.better = "higher";
  measurement.null_calls = std::nullopt;
  if (measurement.status != report::BenchStatus::kMeasured) return;
  if (!measurement.bytes) return drop(measurement, "how many bytes it moves is not known");
  const BenchMeasurement* roof = report::roof_of(record, measurement.subject);
  if (roof == nullptr) return drop(measurement, "no copy was timed beside it");
  divide_by_roof(measurement, *roof);
}

}  // namespace

report::BenchRecord in_shares_of_roof(const report::BenchRecord& record) {
  report::BenchRecord made = record;
  for (BenchMeasurement& each : made.measurements) normalize_to_roof(each, record);
  return made;
}

report::BenchRecord in_null_calls(report::BenchRecord record) {
  std::ranges::for_each(record.measurements, normalize);
  return record;
}

}  // namespace assay::compare
