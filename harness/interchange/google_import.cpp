// Google Benchmark's JSON as a record: repetitions are samples, files are processes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "harness/bench/summary.hpp"
#include "harness/interchange/formats.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/report/record.hpp"
#include "harness/stats/median.hpp"

namespace assay::interchange {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

double nanoseconds_of(const std::string& unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  throw std::runtime_error(fmt::format("unknown time_unit '{}'", unit));
}

report::BenchAxes::value_type::second_type value_from(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 18 &&
                         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return static_cast<std::int64_t>(std::stoll(text));
  return text;
}

/// `BM_Copy/size:64/real_time` is the case `BM_Copy/real_time` at size=64.
void name(BenchMeasurement& measurement, const std::string& run_name) {
  std::size_t begin = 0;
  while (begin <= run_name.size()) {
    const std::size_t end = std::min(run_name.find('/', begin), run_name.size());
    const std::string part = run_name.substr(begin, end - begin);
    const std::size_t colon = part.find(':');
    const bool is_axis = begin > 0 && colon != std::string::npos && colon > 0 &&
                         part.find(':', colon + 1) == std::string::npos;
    if (is_axis) {
      measurement.axes.emplace_back(part.substr(0, colon), value_from(part.substr(colon + 1)));
    } else {
      measurement.case_name += (begin > 0 ? "/" : "") + part;
    }
    begin = end + 1;
  }
}

/// One of `benchmarks`.
struct Entry {
  std::string run_type = "iteration", run_name;
  bool has_failed = false;
  std::string error = "it said no reason";
  std::string unit = "ns";
  std::int64_t iterations = 1;
  double real_time = 0, cpu_time = 0;
};

Entry entry_from(const JsonTree& json) {
  Entry entry;
  const JsonMembers read(json);
  read("name", entry.run_name);
  read.if_there("run_type", entry.run_type);
  read.if_there("run_name", entry.run_name);
  read.if_there("error_occurred", entry.has_failed);
  read.if_there("error_message", entry.error);
  read.if_there("time_unit", entry.unit);
  read.if_there("iterations", entry.iterations);
  const bool has_times = entry.run_type == "iteration" && !entry.has_failed;
  if (!has_times) return entry;
  read("real_time", entry.real_time);
  read("cpu_time", entry.cpu_time);
  return entry;
}

/// The files of one program, one after the other.
class Importer {
 public:
  void add(const File& file) {
    const JsonTree json = tree_from_json(file.text);
    const JsonTree& context = member_of(json, "context");
    if (files_ == 0) describe(context);
    const std::string program = program_of(context);
    if (program != record_.subjects.front().id) {
      throw std::runtime_error(
          fmt::format("it is of '{}' and the file before of '{}': a record is "
                      "of one program",
                      program, record_.subjects.front().id));
    }
    for (const JsonTree& entry : list_in(json, "benchmarks")) add(entry);
    ++files_;
  }

  report::BenchRecord take(std::size_t files) {
    if (record_.measurements.empty()) {
      throw std::runtime_error("there is no benchmark in it, aggregates aside");
    }
    for (BenchMeasurement& each : record_.measurements) finish(each);
    record_.meta.processes = static_cast<std::int64_t>(files);
    record_.meta.line =
        fmt::format("IMPORTED {} measurements of {} processes", record_.measurements.size(), files);
    return std::move(record_);
  }

 private:
  static std::string program_of(const JsonTree& context) {
    std::string path;
    JsonMembers(context).if_there("executable", path);
    const std::string program = std::filesystem::path(path).filename().string();
    return program.empty() ? "unknown" : program;
  }

  void describe(const JsonTree& context) {
    const std::string program = program_of(context);
    const report::Environment here = report::this_environment();
    record_.subjects = {{program, program, program, "", "", "c++", {}, {}}};
    record_.meta.started = report::now_utc();
    record_.meta.complete = true;
    record_.meta.build = {here.version, "unknown", false, "unknown", "unknown", ""};
    std::int64_t cores = 0;
    double megahertz = 0;
    bool is_scaled = false;
    const JsonMembers read(context);
    read.if_there("num_cpus", cores);
    read.if_there("mhz_per_cpu", megahertz);
    read.if_there("cpu_scaling_enabled", is_scaled);
    record_.environment.machine = fmt::format("{} cores at {:.0f} MHz", cores, megahertz);
    record_.environment.cores = std::max<std::int64_t>(cores, 0);
    record_.environment.kernel = "unknown";
    record_.environment.cpu = "unknown";
    record_.environment.virtualization = "unknown";
    record_.warnings.push_back(
        {std::string(report::kImported),
         "imported from Google Benchmark: nothing checked that its loops did their work"});
    if (is_scaled) {
      record_.warnings.push_back({"governor", "CPU scaling was enabled"});
    }
  }

  void add(const JsonTree& json) {
    const Entry entry = entry_from(json);
    if (entry.run_type != "iteration") return;
    if (entry.has_failed) return fail(entry.run_name, entry.error);
    const double unit = nanoseconds_of(entry.unit);
    const auto iterations = std::max<std::int64_t>(entry.iterations, 1);
    add_sample(measurement_of(entry.run_name, "time.real_ns"), entry.real_time * unit, iterations);
    add_sample(measurement_of(entry.run_name, "time.cpu_ns"), entry.cpu_time * unit, iterations);
  }

  void fail(const std::string& run_name, const std::string& reason) {
    for (const char* quantity : {"time.real_ns", "time.cpu_ns"}) {
      BenchMeasurement& measurement = measurement_of(run_name, quantity);
      measurement.status = BenchStatus::kFailed;
      measurement.reason = reason.empty() ? "it said no reason" : reason;
    }
  }

  void add_sample(BenchMeasurement& measurement, double value, std::int64_t iterations) {
    if (!std::isfinite(value) || value < 0) {
      throw std::runtime_error(fmt::format("{} has a time of {}", measurement.case_name, value));
    }
    auto& processes = measurement.processes;
    if (processes.empty() || processes.back().index != files_) {
      processes.push_back({files_, files_, 0, {}, iterations, true, {}, {}});
    }
    processes.back().samples.push_back(value);
    record_.meta.samples =
        std::max(record_.meta.samples, static_cast<std::int64_t>(processes.back().samples.size()));
  }

  BenchMeasurement& measurement_of(const std::string& run_name, const std::string& quantity) {
    const auto [place, is_new] =
        index_.try_emplace({run_name, quantity}, record_.measurements.size());
    if (is_new) {
      BenchMeasurement made;
      name(made, run_name);
      made.quantity = quantity;
      made.unit = "ns";
      made.better = "lower";
      made.subject = record_.subjects.front().id;
      made.status = BenchStatus::kMeasured;
      record_.measurements.push_back(std::move(made));
    }
    return record_.measurements[place->second];
  }

  static void finish(BenchMeasurement& measurement) {
    if (measurement.status != BenchStatus::kMeasured) {
      measurement.processes.clear();
      return;
    }
    for (report::BenchProcess& process : measurement.processes) {
      process.median = stats::median_of(process.samples).value;
    }
    bench::summarize(measurement);
  }

  report::BenchRecord record_;
  std::int64_t files_ = 0;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

}  // namespace

bool is_google_json(const std::string& text) {
  return text.find("\"context\"") != std::string::npos &&
         text.find("\"benchmarks\"") != std::string::npos &&
         text.find("\"assay.bench/1\"") == std::string::npos;
}

report::BenchRecord from_google_json(const std::vector<File>& files) {
  Importer importer;
  for (const File& file : files) {
    try {
      importer.add(file);
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}: {}", file.name, error.what()));
    }
  }
  try {
    return importer.take(files.size());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", files.front().name, error.what()));
  }
}

}  // namespace assay::interchange
