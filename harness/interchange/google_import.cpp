// Google Benchmark's JSON as a record: repetitions are samples, files are processes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/bench/summary.hpp"
#include "harness/interchange/formats.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/report/record.hpp"
#include "harness/stats/median.hpp"

namespace assay::interchange {
namespace {

using Json = nlohmann::ordered_json;
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

/// The files of one program, one after the other.
class Importer {
 public:
  void add(const File& file) {
    guard_json(file.text);
    const Json json = Json::parse(file.text);
    const Json& context = json.at("context");
    if (files_ == 0) describe(context);
    const std::string program = program_of(context);
    if (program != record_.subjects.front().id) {
      throw std::runtime_error(
          fmt::format("it is of '{}' and the file before of '{}': a record is "
                      "of one program",
                      program, record_.subjects.front().id));
    }
    for (const Json& entry : json.at("benchmarks")) add(entry);
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
  static std::string program_of(const Json& context) {
    const std::string path = context.value("executable", "");
    const std::string program = std::filesystem::path(path).filename().string();
    return program.empty() ? "unknown" : program;
  }

  void describe(const Json& context) {
    const std::string program = program_of(context);
    const report::Environment here = report::this_environment();
    record_.subjects = {{program, program, program, "", "", "c++", {}, {}}};
    record_.meta.started = report::now_utc();
    record_.meta.complete = true;
    record_.meta.build = {here.version, "unknown", false, "unknown", "unknown", ""};
    const auto cores = context.value("num_cpus", std::int64_t{0});
    const double megahertz = context.value("mhz_per_cpu", 0.0);
    record_.environment.machine = fmt::format("{} cores at {:.0f} MHz", cores, megahertz);
    record_.environment.cores = std::max<std::int64_t>(cores, 0);
    record_.environment.kernel = "unknown";
    record_.environment.cpu = "unknown";
    record_.environment.virtualization = "unknown";
    record_.warnings.push_back(
        {std::string(report::kImported),
         "imported from Google Benchmark: nothing checked that its loops did their work"});
    if (context.value("cpu_scaling_enabled", false)) {
      record_.warnings.push_back({"governor", "CPU scaling was enabled"});
    }
  }

  void add(const Json& entry) {
    if (entry.value("run_type", "iteration") != "iteration") return;
    const std::string run_name = entry.value("run_name", entry.at("name").get<std::string>());
    if (entry.value("error_occurred", false)) {
      fail(run_name, entry.value("error_message", "it said no reason"));
      return;
    }
    const double unit = nanoseconds_of(entry.value("time_unit", "ns"));
    const auto iterations = std::max<std::int64_t>(entry.value("iterations", std::int64_t{1}), 1);
    add_sample(measurement_of(run_name, "time.real_ns"), entry.at("real_time").get<double>() * unit,
               iterations);
    add_sample(measurement_of(run_name, "time.cpu_ns"), entry.at("cpu_time").get<double>() * unit,
               iterations);
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
