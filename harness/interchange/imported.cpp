// Builds a record of a program that another tool timed.
#include "harness/interchange/imported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "harness/bench/summary.hpp"
#include "harness/report/record.hpp"
#include "harness/stats/median.hpp"

namespace assay::interchange {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

std::string program_of(const std::string& path) {
  const std::string program = std::filesystem::path(path).filename().string();
  return program.empty() ? "unknown" : program;
}

void finish(BenchMeasurement& row) {
  if (row.status != BenchStatus::kMeasured) {
    row.processes.clear();
    return;
  }
  for (report::BenchProcess& process : row.processes) {
    process.median = stats::median_of(process.samples).value;
  }
  bench::summarize(row);
}

}  // namespace

Imported::Imported(std::string tool) {
  const report::Environment here = report::this_environment();
  record_.meta.started = report::now_utc();
  record_.meta.complete = true;
  record_.meta.build = {here.version, "unknown", false, "unknown", "unknown", ""};
  for (std::string* unknown : {&record_.environment.machine, &record_.environment.kernel,
                               &record_.environment.cpu, &record_.environment.virtualization}) {
    *unknown = "unknown";
  }
  warn(std::string(report::kImported),
       "imported from " + tool + ": nothing checked that its loops did their work");
}

void Imported::warn(const std::string& kind, const std::string& text) {
  const auto is_said = [&](const report::BenchWarning& each) { return each.text == text; };
  if (!std::ranges::any_of(record_.warnings, is_said)) record_.warnings.push_back({kind, text});
}

void Imported::begin_file(const std::string& path_of_program) {
  const std::string program = program_of(path_of_program);
  if (record_.subjects.empty()) {
    record_.subjects = {{program, program, program, "", "", "c++", {}, {}}};
  }
  if (program != record_.subjects.front().id) {
    throw std::runtime_error(fmt::format(
        "it comes from '{}', and the file before from '{}': all files must come from one program",
        program, record_.subjects.front().id));
  }
  ++files_;
}

BenchMeasurement& Imported::row(const std::string& case_name, const report::BenchAxes& axes,
                                const std::string& quantity) {
  const std::string key = report::full_name(case_name, axes) + '\n' + quantity;
  const auto [place, is_new] = index_.try_emplace(key, record_.measurements.size());
  if (is_new) {
    BenchMeasurement made;
    made.case_name = case_name;
    made.axes = axes;
    made.quantity = quantity;
    made.unit = "ns";
    made.better = "lower";
    made.subject = record_.subjects.front().id;
    made.status = BenchStatus::kMeasured;
    record_.measurements.push_back(std::move(made));
  }
  return record_.measurements[place->second];
}

void Imported::add_sample(BenchMeasurement& row, double ns, std::int64_t iterations) {
  if (!std::isfinite(ns) || ns < 0) {
    throw std::runtime_error(fmt::format("{} has a time of {}", row.case_name, ns));
  }
  auto& processes = row.processes;
  const std::int64_t index = files_ - 1;
  if (processes.empty() || processes.back().index != index) {
    processes.push_back({index, index, 0, {}, iterations, true, {}, {}});
  }
  processes.back().samples.push_back(ns);
  const auto samples = static_cast<std::int64_t>(processes.back().samples.size());
  record_.meta.samples = std::max(record_.meta.samples, samples);
}

void Imported::leave_out(BenchMeasurement& row, BenchStatus status, const std::string& reason) {
  row.status = status;
  row.reason = reason.empty() ? "no reason was given" : reason;
}

void Imported::leave_out_all(const std::string& case_name, const report::BenchAxes& axes,
                             const std::string& quantity, const std::string& reason) {
  BenchMeasurement left_out;
  left_out.case_name = case_name;
  left_out.axes = axes;
  left_out.quantity = quantity;
  left_out.reason = reason;
  left_out_.push_back(std::move(left_out));
}

report::BenchRecord Imported::take() {
  for (const BenchMeasurement& left_out : left_out_) {
    const std::string name = report::full_name(left_out.case_name, left_out.axes);
    bool has_rows = false;
    for (BenchMeasurement& row : record_.measurements) {
      if (report::full_name(row.case_name, row.axes) != name) continue;
      leave_out(row, BenchStatus::kUnsupported, *left_out.reason);
      has_rows = true;
    }
    if (has_rows) continue;
    leave_out(row(left_out.case_name, left_out.axes, left_out.quantity), BenchStatus::kUnsupported,
              *left_out.reason);
  }
  if (record_.measurements.empty()) {
    throw std::runtime_error("there is no benchmark with a time in it");
  }
  std::ranges::for_each(record_.measurements, finish);
  record_.meta.processes = files_;
  record_.meta.line =
      fmt::format("IMPORTED {} measurements of {} processes", record_.measurements.size(), files_);
  return std::move(record_);
}

bool mentions_all(const std::string& text, std::initializer_list<std::string_view> members) {
  const auto is_mentioned = [&](std::string_view member) {
    return text.find('"' + std::string(member) + '"') != std::string::npos;
  };
  return std::ranges::all_of(members, is_mentioned) && !is_mentioned("assay.bench/1");
}

report::BenchRecord imported(const std::string& tool, const std::vector<File>& files,
                             const std::function<void(Imported&, const File&)>& add) {
  Imported made(tool);
  const std::string* name = &files.front().name;
  try {
    for (const File& file : files) {
      name = &file.name;
      add(made, file);
    }
    name = &files.front().name;
    return made.take();
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", *name, error.what()));
  }
}

}  // namespace assay::interchange
