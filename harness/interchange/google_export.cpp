// Writes the JSON of Google Benchmark, for compare.py and services that read it.
#include <nlohmann/json.hpp>

#include "harness/interchange/formats.hpp"
#include "harness/interchange/names.hpp"

namespace assay::interchange {
namespace {

using Json = nlohmann::ordered_json;
using report::BenchMeasurement;
using report::BenchProcess;

Json context_of(const report::BenchRecord& record) {
  const report::BenchEnvironment& environment = record.environment;
  Json context = {
      {"date", record.meta.started},
      {"host_name", environment.machine},
      {"executable", "assay"},
      {"num_cpus", environment.cores},
      {"cpu_scaling_enabled", environment.governor.value_or("performance") != "performance"},
      {"library_build_type", record.meta.build.build_type == "Debug" ? "debug" : "release"},
      {"assay_revision", record.meta.build.revision}};
  if (record.synthetic) context["assay_synthetic"] = true;
  return context;
}

Json begun(const std::string& name, std::size_t family, std::size_t repetitions,
           std::size_t repetition) {
  return {{"name", name},
          {"family_index", family},
          {"per_family_instance_index", 0},
          {"run_name", name},
          {"run_type", "iteration"},
          {"repetitions", repetitions},
          {"repetition_index", repetition},
          {"threads", 1}};
}

/// The loops run alone on a core, so CPU time equals wall time.
void add_times(Json& entry, std::int64_t iterations, double time) {
  entry["iterations"] = iterations;
  entry["real_time"] = time;
  entry["cpu_time"] = time;
  entry["time_unit"] = "ns";
}

void add_processes(const BenchMeasurement& measurement, std::size_t family, Json& benchmarks) {
  const std::string name = name_of(measurement, ':');
  for (std::size_t i = 0; i < measurement.processes.size(); ++i) {
    const BenchProcess& process = measurement.processes[i];
    Json entry = begun(name, family, measurement.processes.size(), i);
    add_times(entry, process.iterations, process.median);
    benchmarks.push_back(std::move(entry));
  }
}

void add_error(const BenchMeasurement& measurement, std::size_t family, Json& benchmarks) {
  Json entry = begun(name_of(measurement, ':'), family, 1, 0);
  entry["error_occurred"] = true;
  entry["error_message"] = measurement.reason.value_or("no number");
  // Google Benchmark writes times even here, and readers expect them in every entry.
  add_times(entry, 0, 0);
  benchmarks.push_back(std::move(entry));
}

}  // namespace

Exported to_google_json(const report::BenchRecord& record) {
  Exported made;
  Json benchmarks = Json::array();
  std::size_t family = 0;
  for (const BenchMeasurement& measurement : record.measurements) {
    if (measurement.unit != "ns") {
      made.left_out.push_back(left_out(measurement, "this format has times only"));
    } else if (measurement.center) {
      add_processes(measurement, family++, benchmarks);
    } else {
      add_error(measurement, family++, benchmarks);
    }
  }
  const Json json = {{"context", context_of(record)}, {"benchmarks", std::move(benchmarks)}};
  made.text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return made;
}

}  // namespace assay::interchange
