// Reads the number of a measurement, if its check passed and a ratio can be made of it.
#include "harness/compare/number_of.hpp"

#include <algorithm>

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

/// Unknown for imported records, which count as passed; a note beside the numbers says so.
bool passed_its_check(const BenchMeasurement& measurement, const report::BenchRecord& record) {
  const auto is_wrong = [](const report::BenchProcess& process) { return !process.checksum_ok; };
  if (std::ranges::any_of(measurement.processes, is_wrong)) return false;
  return measurement.checked || report::is_imported(record);
}

/// True for a number outside the range of any clock or counter. Within it, ratios are finite.
bool is_out_of_range(const report::BenchProcess& process) {
  constexpr double kLeast = 1e-150, kMost = 1e150;
  return process.median != 0 && !(process.median >= kLeast && process.median <= kMost);
}

}  // namespace

Number number_of(const BenchMeasurement* measurement, const report::BenchRecord& record) {
  Number number;
  if (measurement == nullptr) {
    number.reason = "no such row";
    return number;
  }
  number.source = measurement;
  number.processes = measurement->processes.size();
  number.failed = measurement->status == BenchStatus::kFailed;
  const auto is_zero = [](const report::BenchProcess& process) { return !(process.median > 0); };
  if (measurement->status != BenchStatus::kMeasured) {
    number.reason = measurement->reason.value_or(std::string(name_of(measurement->status)));
  } else if (!passed_its_check(*measurement, record)) {
    number.failed = true;
    number.reason = "its check did not pass";
  } else if (!measurement->exact && std::ranges::any_of(measurement->processes, is_zero)) {
    number.reason = "a process measured zero";
  } else if (std::ranges::any_of(measurement->processes, is_out_of_range)) {
    number.reason = "a process measured an impossible value";
  } else {
    number.center = measurement->center;
  }
  return number;
}

}  // namespace assay::compare
