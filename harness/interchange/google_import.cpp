// Reads Google Benchmark's JSON as a record: repetitions are samples, files are processes.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/interchange/imported.hpp"
#include "harness/protocol/tree/json_tree.hpp"

namespace assay::interchange {
namespace {

using report::BenchStatus;

/// `BM_Copy/size:64/real_time` becomes the case `BM_Copy/real_time` at size=64.
struct Name {
  std::string case_name;
  report::BenchAxes axes;
};

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

Name name_from(const std::string& run_name) {
  Name name;
  std::size_t begin = 0;
  while (begin <= run_name.size()) {
    const std::size_t end = std::min(run_name.find('/', begin), run_name.size());
    const std::string part = run_name.substr(begin, end - begin);
    const std::size_t colon = part.find(':');
    const bool is_axis = begin > 0 && colon != std::string::npos && colon > 0 &&
                         part.find(':', colon + 1) == std::string::npos;
    if (is_axis) {
      name.axes.emplace_back(part.substr(0, colon), value_from(part.substr(colon + 1)));
    } else {
      name.case_name += (begin > 0 ? "/" : "") + part;
    }
    begin = end + 1;
  }
  return name;
}

/// One element of `benchmarks`.
struct Entry {
  std::string run_type = "iteration", run_name;
  bool has_failed = false;
  std::string error = "no reason was given";
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

void describe(Imported& made, const JsonTree& context) {
  std::int64_t cores = 0;
  double megahertz = 0;
  bool is_scaled = false;
  const JsonMembers read(context);
  read.if_there("num_cpus", cores);
  read.if_there("mhz_per_cpu", megahertz);
  read.if_there("cpu_scaling_enabled", is_scaled);
  made.environment().machine = fmt::format("{} cores at {:.0f} MHz", cores, megahertz);
  made.environment().cores = std::max<std::int64_t>(cores, 0);
  if (is_scaled) made.warn("governor", "CPU scaling was enabled");
}

void add_entry(Imported& made, const JsonTree& json) {
  const Entry entry = entry_from(json);
  if (entry.run_type != "iteration") return;
  const Name name = name_from(entry.run_name);
  const double unit = entry.has_failed ? 1 : nanoseconds_of(entry.unit);
  const auto iterations = std::max<std::int64_t>(entry.iterations, 1);
  for (const auto& [quantity, time] :
       {std::pair{"time.real_ns", entry.real_time}, std::pair{"time.cpu_ns", entry.cpu_time}}) {
    report::BenchMeasurement& row = made.row(name.case_name, name.axes, quantity);
    if (entry.has_failed) {
      Imported::leave_out(row, BenchStatus::kFailed, entry.error);
    } else {
      made.add_sample(row, time * unit, iterations);
    }
  }
}

void add_file(Imported& made, const File& file) {
  const JsonTree json = tree_from_json(file.text);
  const JsonTree& context = member_of(json, "context");
  std::string program;
  JsonMembers(context).if_there("executable", program);
  made.begin_file(program);
  if (made.is_first_file()) describe(made, context);
  for (const JsonTree& entry : list_in(json, "benchmarks")) add_entry(made, entry);
}

}  // namespace

bool is_google_json(const std::string& text) {
  return mentions_all(text, {"context", "benchmarks"});
}

report::BenchRecord from_google_json(const std::vector<File>& files) {
  return imported("Google Benchmark", files, add_file);
}

}  // namespace assay::interchange
