// A small bench record for tests: two subjects and two cases, one of them without measurements.
#pragma once

#include "harness/report/bench/record.hpp"

namespace assay::report {

inline BenchMeasurement measured_example(const std::string& subject, double ns) {
  BenchMeasurement made;
  made.case_name = "dispatch/typed";
  made.axes = {{"tensors", std::int64_t{2}}, {"cache", "hit"}};
  made.quantity = "host.dispatch_ns";
  made.unit = "ns";
  made.better = "lower";
  made.subject = subject;
  made.checked = true;
  made.status = BenchStatus::kMeasured;
  made.center = ns;
  made.interval = BenchInterval{ns - 1, ns + 1, 0.95};
  made.null_calls = BenchMultiple{ns / 4, std::nullopt};
  for (std::int64_t i = 0; i < 2; ++i) {
    made.processes.push_back({i, 2 * i, ns, {ns - 0.5, ns, ns + 0.1}, 1000, true, 0.25, 4.0});
  }
  return made;
}

inline BenchMeasurement missing_example(const std::string& subject, BenchStatus status) {
  BenchMeasurement made = measured_example(subject, 1);
  made.case_name = "runtime/event";
  made.axes = {};
  made.checked = false;
  made.status = status;
  made.reason = "built without \"CUDA\"";
  made.center = std::nullopt;
  made.interval = std::nullopt;
  made.null_calls = std::nullopt;
  made.processes = {};
  return made;
}

inline BenchRecord bench_example() {
  BenchRecord record;
  record.synthetic = true;
  record.meta.argv = {"assay", "bench"};
  record.meta.started = "2026-11-21T11:00:00Z";
  record.meta.seed = ~std::uint64_t{0};
  record.meta.processes = 2;
  record.meta.build = {"0.1.0", "unknown", false, "Release", "GNU 12", "-O1"};
  record.meta.line = "PASS";
  record.environment.machine = "a machine";
  record.environment.smt = false;
  record.environment.devices = {{"NVIDIA H200"}};
  record.calibration.null_call_ns = BenchFigure{4, BenchInterval{3.5, 4.5, 0.95}, {4, 4.25}};
  record.subjects = {{"mine", "./mine.so", "mine", "1", "2.11/cuda/strict", "c++", {}, {}},
                     {"mine#2", "./mine.so", "mine", "1", "", {}, "mine", record.meta.build}};
  record.measurements = {measured_example("mine", 100.5), measured_example("mine#2", 100.0 / 3),
                         missing_example("mine", BenchStatus::kUnsupported),
                         missing_example("mine#2", BenchStatus::kFailed)};
  record.noise_floor = BenchNoiseFloor{
      0.01, {{"dispatch/typed", {{"tensors", std::int64_t{2}}}, "q.q", "mine", "mine#2", 1.01}}};
  record.warnings = {{"load", "it is loaded"}, {"virtual", "it is a guest"}};
  return record;
}

}  // namespace assay::report
