// Bytes a nanosecond, and the copy that they are held against.
#include <algorithm>

#include "harness/report/bench/record.hpp"

namespace assay::report {

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

}  // namespace assay::report
