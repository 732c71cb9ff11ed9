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

const BenchMeasurement* roof_of(const BenchRecord& record, std::string_view subject) {
  const BenchMeasurement* largest = nullptr;
  for (const BenchMeasurement& each : record.measurements) {
    if (each.subject != subject || each.case_name != kRoofCase || !bandwidth_of(each)) continue;
    if (largest == nullptr || *each.bytes > *largest->bytes) largest = &each;
  }
  return largest;
}

}  // namespace assay::report
