// Reference measurements of a record: the largest copy, an empty launch, a pair of events.
#include <algorithm>
#include <array>

#include "harness/report/bench/record.hpp"

namespace assay::report {
namespace {

const BenchMeasurement* first_of(const BenchRecord& record, std::string_view subject,
                                 std::string_view name) {
  const auto found = std::ranges::find_if(record.measurements, [&](const BenchMeasurement& each) {
    return each.subject == subject && each.case_name == name &&
           each.status == BenchStatus::kMeasured;
  });
  return found == record.measurements.end() ? nullptr : &*found;
}

bool is_of_launches(const BenchMeasurement& measurement) {
  constexpr std::array kQuantities{"host.launch_ns", "host.submit_ns", "e2e.sync_ns",
                                   "graph.node_ns"};
  return std::ranges::find(kQuantities, measurement.quantity) != kQuantities.end();
}

}  // namespace

std::optional<double> bandwidth_of(const BenchMeasurement& measurement) {
  if (!measurement.bytes || measurement.unit != "ns" || measurement.center.value_or(0) <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*measurement.bytes) / *measurement.center;
}

bool is_between_memories(const BenchMeasurement& measurement) {
  return measurement.case_name == "device/copy_in" || measurement.case_name == "device/copy_out";
}

const BenchMeasurement* roof_of(const BenchRecord& record, std::string_view subject) {
  const BenchMeasurement* largest = nullptr;
  for (const BenchMeasurement& each : record.measurements) {
    if (each.subject != subject || each.case_name != kRoofCase || !bandwidth_of(each)) continue;
    if (largest == nullptr || *each.bytes > *largest->bytes) largest = &each;
  }
  return largest;
}

std::optional<double> share_of_roof(const BenchRecord& record,
                                    const BenchMeasurement& measurement) {
  const auto bandwidth = bandwidth_of(measurement);
  const BenchMeasurement* roof = roof_of(record, measurement.subject);
  if (!bandwidth || roof == nullptr || is_between_memories(measurement)) return std::nullopt;
  return *bandwidth / *bandwidth_of(*roof);
}

const BenchMeasurement* null_launch_of(const BenchRecord& record, std::string_view subject) {
  return first_of(record, subject, "launch/kernel");
}

std::optional<BenchFloor> floor_of(const BenchRecord& record, const BenchMeasurement& measurement) {
  const bool is_of_launch = is_of_launches(measurement);
  if (!is_of_launch && measurement.quantity != "device.exec_ns") return std::nullopt;
  const BenchMeasurement* floor = is_of_launch
                                      ? null_launch_of(record, measurement.subject)
                                      : first_of(record, measurement.subject, "device/event_pair");
  if (floor == nullptr || floor->center.value_or(0) <= 0 || !measurement.center) {
    return std::nullopt;
  }
  const bool is_itself =
      floor->case_name == measurement.case_name && floor->axes == measurement.axes;
  if (is_itself) return std::nullopt;
  return BenchFloor{*measurement.center / *floor->center,
                    is_of_launch ? "launches" : "event pairs"};
}

}  // namespace assay::report
