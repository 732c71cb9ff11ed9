// The members of bench records with their JSON names, in the order of the file.
#pragma once

#include <concepts>
#include <type_traits>

#include "harness/report/bench/record.hpp"

namespace assay::report {

/// `Type` or const `Type`, so that writer and reader share each list.
template <typename Record, typename Type>
concept Bench = std::same_as<std::remove_const_t<Record>, Type>;

template <Bench<BenchInterval> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("low", record.low);
  each("high", record.high);
  each("confidence", record.confidence);
}

template <Bench<BenchFigure> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("center", record.center);
  each("interval", record.interval);
  each("medians", record.medians);
}

template <Bench<BenchBuild> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("tool", record.tool);
  each("revision", record.revision);
  each("dirty", record.dirty);
  each("build_type", record.build_type);
  each("compiler", record.compiler);
  each("flags", record.flags);
  each("program", record.program);
}

/// All members except the seed, which is a number or a string.
template <Bench<BenchMeta> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("argv", record.argv);
  each("started", record.started);
  each("seconds", record.seconds);
  each("quick", record.quick);
  each("complete", record.complete);
  each("interrupted", record.interrupted);
  each("processes", record.processes);
  each("min_time_ns", record.min_time_ns);
  each("samples", record.samples);
  each("looks", record.looks);
  each("device_clock", record.device_clock);
  each("audited", record.audited);
  for_each_member(record.build, each);
  each("exit", record.exit_code);
  each("line", record.line);
}

template <Bench<BenchDevice> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("name", record.name);
  each("most_sm_clock_mhz", record.most_sm_clock_mhz);
  each("ecc", record.ecc);
  each("mig", record.mig);
  each("persistence", record.persistence);
  each("uuid", record.uuid);
  each("most_memory_clock_mhz", record.most_memory_clock_mhz);
  each("application_sm_clock_mhz", record.application_sm_clock_mhz);
  each("power_limit_w", record.power_limit_w);
  each("used", record.used);
}

template <Bench<BenchEnvironment> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("machine", record.machine);
  each("cpu", record.cpu);
  each("cores", record.cores);
  each("kernel", record.kernel);
  each("virtual", record.virtualization);
  each("governor", record.governor);
  each("smt", record.smt);
  each("aslr", record.aslr);
  each("load_start", record.load_start);
  each("load_end", record.load_end);
  each("driver", record.driver);
  each("devices", record.devices);
}

template <Bench<BenchCalibration> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("timer_cost_ns", record.timer_cost_ns);
  each("timer_resolution_ns", record.timer_resolution_ns);
  each("empty_loop_ns", record.empty_loop_ns);
  each("null_call_ns", record.null_call_ns);
}

template <Bench<BenchSubject> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("id", record.id);
  each("subject", record.subject);
  each("name", record.name);
  each("version", record.version);
  each("contract", record.contract);
  each("via", record.via);
  each("copy_of", record.copy_of);
  each("build", record.build);
}

template <Bench<BenchProcess> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("index", record.index);
  each("order", record.order);
  each("median", record.median);
  each("samples", record.samples);
  each("iterations", record.iterations);
  each("checksum_ok", record.checksum_ok);
  each("load", record.load);
  each("null_call_ns", record.null_call_ns);
  each("sm_clock_mhz", record.sm_clock_mhz);
  each("sm_clocks_mhz", record.sm_clocks_mhz);
  each("relative", record.relative);
  each("throttled_by", record.throttled_by);
  each("waited_ns", record.waited_ns);
}

template <Bench<BenchMultiple> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("center", record.center);
  each("interval", record.interval);
}

template <Bench<BenchMeasurement> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("case", record.case_name);
  each("axes", record.axes);
  each("quantity", record.quantity);
  each("unit", record.unit);
  each("bytes", record.bytes);
  each("better", record.better);
  each("exact", record.exact);
  each("subject", record.subject);
  each("checked", record.checked);
  each("status", record.status);
  each("reason", record.reason);
  each("center", record.center);
  each("interval", record.interval);
  each("null_calls", record.null_calls);
  each("processes", record.processes);
}

template <Bench<BenchPair> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("case", record.case_name);
  each("axes", record.axes);
  each("quantity", record.quantity);
  each("subject", record.subject);
  each("copy", record.copy);
  each("ratio", record.ratio);
}

template <Bench<BenchNoiseFloor> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("relative", record.relative);
  each("pairs", record.pairs);
}

template <Bench<BenchWarning> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("kind", record.kind);
  each("text", record.text);
}

template <Bench<BenchDone> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("rounds", record.rounds);
  each("started", record.started);
  each("calibrated", record.calibrated);
}

template <Bench<BenchRecord> Record, typename Each>
void for_each_member(Record& record, const Each& each) {
  each("synthetic", record.synthetic);
  each("meta", record.meta);
  each("environment", record.environment);
  each("calibration", record.calibration);
  each("subjects", record.subjects);
  each("measurements", record.measurements);
  each("noise_floor", record.noise_floor);
  each("warnings", record.warnings);
  each("done", record.done);
}

}  // namespace assay::report
