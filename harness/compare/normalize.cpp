// Divides the numbers of a process by another number of the same process.
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

/// Multiplies every time of a process by `factor`.
void multiply(BenchProcess& process, double factor) {
  process.median *= factor;
  if (process.relative) *process.relative *= factor;
  for (double& sample : process.samples) sample *= factor;
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
    return drop(measurement, "its processes timed no null call");
  }
  for (BenchProcess& process : measurement.processes) multiply(process, 1 / *process.null_call_ns);
  measurement.center = measurement.null_calls->center;
  measurement.interval = measurement.null_calls->interval;
}

/// Replaces every sample by `factor` divided by its time.
void invert(BenchProcess& process, double factor) {
  process.median = factor / process.median;
  if (process.relative) process.relative = factor / *process.relative;
  for (double& sample : process.samples) sample = factor / sample;
}

/// Keeps the processes that `change` could convert, and recomputes the center from them.
template <typename Change>
void rebuild(BenchMeasurement& measurement, const Change& change, const char* otherwise) {
  std::vector<BenchProcess> kept;
  std::vector<double> medians;
  for (BenchProcess& process : measurement.processes) {
    if (!change(process)) continue;
    medians.push_back(process.median);
    kept.push_back(std::move(process));
  }
  if (kept.empty()) return drop(measurement, otherwise);
  measurement.processes = std::move(kept);
  const stats::Median middle = stats::median_of(medians, kConfidence);
  measurement.center = middle.value;
  measurement.interval = report::BenchInterval{middle.low, middle.high, kConfidence};
}

/// The center of another case in the same process; nothing if it was not timed there.
std::optional<double> beside(const BenchMeasurement& other, const BenchProcess& process) {
  const auto found = std::ranges::find(other.processes, process.index, &BenchProcess::index);
  if (found == other.processes.end() || !(found->median > 0)) return std::nullopt;
  return found->median;
}

/// Divides by the roof's number in the same process; processes without one are left out.
void divide_by_roof(BenchMeasurement& measurement, const BenchMeasurement& roof) {
  const double bytes = static_cast<double>(*measurement.bytes) / static_cast<double>(*roof.bytes);
  const auto change = [&](BenchProcess& process) {
    const std::optional<double> roof_ns = beside(roof, process);
    if (!roof_ns || !(process.median > 0)) return false;
    invert(process, bytes * *roof_ns);
    return true;
  };
  rebuild(measurement, change, "no copy was timed in the same process");
}

void normalize_to_launches(BenchMeasurement& measurement, const report::BenchRecord& record) {
  if (measurement.unit != "ns") return;
  measurement.unit = "null launches";
  measurement.null_calls = std::nullopt;
  if (measurement.status != report::BenchStatus::kMeasured) return;
  const BenchMeasurement* launch = report::null_launch_of(record, measurement.subject);
  if (launch == nullptr) return drop(measurement, "the record has no time of launch/kernel");
  const auto change = [&](BenchProcess& process) {
    const std::optional<double> launch_ns = beside(*launch, process);
    if (launch_ns) multiply(process, 1 / *launch_ns);
    return launch_ns.has_value();
  };
  rebuild(measurement, change, "no launch/kernel was timed in the same process");
}

void normalize_to_cycles(BenchMeasurement& measurement) {
  if (measurement.unit != "ns") return;
  measurement.unit = "cycles";
  measurement.null_calls = std::nullopt;
  if (measurement.status != report::BenchStatus::kMeasured) return;
  const auto change = [](BenchProcess& process) {
    constexpr double kMhzOfANanosecond = 1000;
    if (!process.sm_clock_mhz) return false;
    const auto& clocks = process.sm_clocks_mhz;
    if (!clocks || clocks->size() != process.samples.size()) {
      multiply(process, static_cast<double>(*process.sm_clock_mhz) / kMhzOfANanosecond);
      return true;
    }
    for (std::size_t i = 0; i < clocks->size(); ++i)
      process.samples[i] *= static_cast<double>((*clocks)[i]) / kMhzOfANanosecond;
    const double before = std::exchange(process.median, stats::median_of(process.samples).value);
    if (process.relative) *process.relative *= process.median / before;
    return true;
  };
  rebuild(measurement, change, "the GPU's clock is unknown");
}

void normalize_to_roof(BenchMeasurement& measurement, const report::BenchRecord& record) {
  if (measurement.unit != "ns") return;
  measurement.unit = "shares of the roof";
  measurement.better = "higher";
  measurement.null_calls = std::nullopt;
  if (measurement.status != report::BenchStatus::kMeasured) return;
  if (!measurement.bytes) return drop(measurement, "the number of bytes that it moves is unknown");
  if (report::is_between_memories(measurement))
    return drop(measurement, "it copies from or to the host, not inside the device");
  const BenchMeasurement* roof = report::roof_of(record, measurement.subject);
  if (roof == nullptr) return drop(measurement, "the record has no time of device/copy");
  divide_by_roof(measurement, *roof);
}

/// A copy without samples, the largest part, unless each sample has its clock; nothing if it is not
/// a time or was not measured.
std::optional<BenchMeasurement> time_of(const BenchMeasurement& measurement) {
  if (measurement.unit != "ns" || measurement.status != report::BenchStatus::kMeasured)
    return std::nullopt;
  BenchMeasurement time;
  time.subject = measurement.subject;
  time.unit = measurement.unit;
  time.status = measurement.status;
  for (const BenchProcess& process : measurement.processes) {
    BenchProcess& made = time.processes.emplace_back();
    made.index = process.index;
    made.median = process.median;
    made.sm_clock_mhz = process.sm_clock_mhz;
    made.relative = process.relative;
    if (!process.sm_clocks_mhz) continue;
    made.samples = process.samples;
    made.sm_clocks_mhz = process.sm_clocks_mhz;
  }
  return time;
}

}  // namespace

std::optional<double> center_in_null_launches(const BenchMeasurement& measurement,
                                              const report::BenchRecord& record) {
  auto time = time_of(measurement);
  if (!time) return std::nullopt;
  normalize_to_launches(*time, record);
  return time->center;
}

std::optional<double> center_in_cycles(const BenchMeasurement& measurement) {
  auto time = time_of(measurement);
  if (!time) return std::nullopt;
  normalize_to_cycles(*time);
  return time->center;
}

report::BenchRecord in_shares_of_roof(const report::BenchRecord& record) {
  report::BenchRecord made = record;
  for (BenchMeasurement& each : made.measurements) normalize_to_roof(each, record);
  return made;
}

report::BenchRecord in_null_launches(const report::BenchRecord& record) {
  report::BenchRecord made = record;
  for (BenchMeasurement& each : made.measurements) normalize_to_launches(each, record);
  return made;
}

report::BenchRecord in_cycles(report::BenchRecord record) {
  std::ranges::for_each(record.measurements, normalize_to_cycles);
  return record;
}

report::BenchRecord in_null_calls(report::BenchRecord record) {
  std::ranges::for_each(record.measurements, normalize);
  return record;
}

}  // namespace assay::compare
