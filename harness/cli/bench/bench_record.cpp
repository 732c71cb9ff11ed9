// Creates, keeps and completes the record of a bench run.
#include "harness/cli/bench/bench_record.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <functional>

#include "harness/bench/summary.hpp"
#include "harness/compare/columns/columns.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/machine.hpp"
#include "harness/measure/nvml.hpp"
#include "harness/report/record.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/subject/process/one_cpu.hpp"

namespace assay::cli {
namespace {

report::BenchEnvironment environment_of(const measure::Machine& machine, const std::string& said) {
  report::BenchEnvironment environment;
  environment.machine = said.empty() ? described(machine) : said;
  environment.cpu = machine.cpu;
  environment.cores = machine.cores;
  environment.kernel = machine.kernel;
  environment.virtualization = machine.virtualization;
  environment.governor = machine.governor;
  environment.smt = machine.smt;
  environment.aslr = machine.aslr;
  environment.load_start = measure::load_average();
  return environment;
}

std::vector<report::BenchDevice> devices_of(const measure::Nvml& nvml) {
  std::vector<report::BenchDevice> devices;
  for (measure::GpuState& gpu : nvml.gpus()) {
    devices.push_back({gpu.name, gpu.most_sm_clock_mhz, gpu.ecc, gpu.mig, gpu.persistence,
                       std::move(gpu.uuid), gpu.most_memory_clock_mhz, gpu.application_sm_clock_mhz,
                       gpu.power_limit_w, gpu.used});
  }
  return devices;
}

void describe_gpus(report::BenchEnvironment& environment) {
  const auto nvml = measure::Nvml::open();
  if (nvml == nullptr) return;
  if (environment.driver.empty()) environment.driver = nvml->driver();
  environment.devices = devices_of(*nvml);
}

}  // namespace

std::vector<report::BenchDevice> devices_here() {
  const auto nvml = measure::Nvml::open();
  return nvml == nullptr ? std::vector<report::BenchDevice>() : devices_of(*nvml);
}

report::BenchRecord begun(const bench::Plan& plan, const std::vector<std::string>& argv, bool quick,
                          const std::string& machine) {
  const report::Environment build = report::this_environment();
  report::BenchRecord record;
  record.meta.argv = argv;
  record.meta.started = report::now_utc();
  record.meta.seed = plan.seed;
  record.meta.quick = quick;
  record.meta.processes = plan.processes;
  record.meta.min_time_ns = static_cast<double>(plan.timing.min_time.count());
  record.meta.samples = plan.timing.samples;
  record.meta.build = {build.version,  build.revision, build.dirty,  build.build_type,
                       build.compiler, build.flags,    build.program};
  record.environment = environment_of(measure::this_machine(), machine);
  record.environment.driver = build.driver;
  describe_gpus(record.environment);
  return record;
}

report::BenchRecord finished(report::BenchRecord record, bench::Measured measured, double seconds,
                             const std::vector<std::string>& named) {
  record.subjects = std::move(measured.subjects);
  record.measurements = std::move(measured.measurements);
  for (report::BenchMeasurement& cell : record.measurements) bench::summarize(cell);
  record.calibration = bench::calibration_of(measured.floors);
  record.noise_floor = bench::noise_floor_of(record.subjects, record.measurements);
  record.environment.load_end = measure::load_average();
  record.meta.interrupted = measured.interrupted;
  record.meta.complete = !measured.interrupted;
  record.meta.seconds += seconds;
  record.meta.processes = measured.enough.value_or(record.meta.processes);
  record.done = measured.done;
  bench::judge(record, named);
  record.warnings = bench::warnings_about(record);
  return record;
}

void BenchOutput::claim() {
  std::error_code ignored;
  const bool is_special =
      std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored);
  if (path_.empty() || is_special) return;
  claim_ = reserve_name("assay-bench-" +
                        std::to_string(std::hash<std::string>()(report::written_path(path_))));
  if (claim_.is_open()) return;
  throw UsageError(
      fmt::format("another bench is writing to {}: give each a file of its own", path_));
}

std::string BenchOutput::path_of(const std::string& path) {
  return path.substr(0, path.size() - (path.ends_with(kPartial) ? std::strlen(kPartial) : 0));
}

void BenchOutput::keep(const report::BenchRecord& record) {
  const std::scoped_lock lock(mutex_);
  if (path_.empty() || is_written_) return;
  try {
    report::write_whole(path_ + kPartial, to_json(record));
  } catch (const std::exception&) {  // continue: there may be space at the end of the run
  }
}

void BenchOutput::write(const report::BenchRecord& record) {
  const std::scoped_lock lock(mutex_);
  if (path_.empty()) return;
  is_written_ = true;
  report::write_whole(path_, to_json(record));
  std::error_code is_gone;
  std::filesystem::remove(path_ + kPartial, is_gone);
}

void BenchOutput::refuse_partial_record() const {
  std::error_code is_gone;
  if (path_.empty() || !std::filesystem::exists(path_ + kPartial, is_gone)) return;
  throw UsageError(fmt::format(
      "{0}{1} belongs to a bench that was interrupted: repeat the command with --resume "
      "{0} instead of -o {0} to continue it, or remove {0}{1} to start over",
      path_, kPartial));
}

report::BenchRecord BenchOutput::left() const {
  for (const std::string& path : {path_ + kPartial, path_}) {
    std::error_code is_gone;
    if (std::filesystem::exists(path, is_gone)) return std::move(*compare::read_bench(path));
  }
  throw UsageError(fmt::format("--resume: neither {0}{1} nor {0} exists; -o {0} starts a new bench",
                               path_, kPartial));
}

}  // namespace assay::cli
