// Bench records for tests: rows of ten processes with medians spread evenly around a center.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace assay::compare {

struct ExampleRow {
  std::string case_name;
  double center = 100;
  double spread = 0.005;  ///< relative, from lowest to highest
  std::int64_t processes = 10;
  std::string subject = "mine";
  report::BenchAxes axes = {};
};

inline report::BenchMeasurement measured(const ExampleRow& row) {
  report::BenchMeasurement made;
  made.case_name = row.case_name;
  made.axes = row.axes;
  made.quantity = "host.dispatch_ns";
  made.unit = "ns";
  made.better = "lower";
  made.subject = row.subject;
  made.checked = true;
  made.status = report::BenchStatus::kMeasured;
  made.center = row.center;
  for (std::int64_t i = 0; i < row.processes; ++i) {
    const double place =
        row.processes == 1 ? 0
                           : static_cast<double>(i) / static_cast<double>(row.processes - 1) - 0.5;
    const double median = row.center * (1 + row.spread * place);
    made.processes.push_back({i, i, median, {median}, 1000, true, {}, {}});
  }
  return made;
}

inline report::BenchMeasurement unmeasured(const std::string& case_name, report::BenchStatus status,
                                           const std::string& subject = "mine") {
  report::BenchMeasurement made = measured({.case_name = case_name, .subject = subject});
  made.status = status;
  made.checked = false;
  made.reason = "it cannot";
  made.center = {};
  made.processes = {};
  return made;
}

inline report::BenchRecord record_of(std::vector<report::BenchMeasurement> measurements) {
  report::BenchRecord record;
  record.meta.started = "2026-11-21T11:00:00Z";
  record.meta.complete = true;
  record.meta.processes = 10;
  record.meta.build = {"0.1.0", "1234567", false, "Release", "GNU 12", "-O1"};
  record.environment.machine = "a machine";
  record.subjects = {{"mine", "./mine.so", "mine", "1", "2.11/cuda/strict", "c++", {}, {}},
                     {"other", "./other.so", "other", "1", "2.11/cuda/strict", "c++", {}, {}}};
  record.measurements = std::move(measurements);
  return record;
}

inline report::BenchRecord record_of_rows(const std::vector<ExampleRow>& rows) {
  std::vector<report::BenchMeasurement> measurements;
  for (const ExampleRow& row : rows) measurements.push_back(measured(row));
  return record_of(std::move(measurements));
}

inline Comparison compared(const report::BenchRecord& before, const report::BenchRecord& after,
                           const Options& options = {}) {
  return compare(
      {{"before", "before.json", &before, "", ""}, {"after", "after.json", &after, "", ""}},
      options);
}

/// The two subjects of one record, side by side.
inline Comparison compared_subjects(const report::BenchRecord& record,
                                    const Options& options = {}) {
  return compare({{"mine", "x.json", &record, "subject", "mine"},
                  {"other", "x.json", &record, "subject", "other"}},
                 options);
}

}  // namespace assay::compare
