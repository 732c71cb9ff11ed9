// Determines the exit code and the last line of a bench run.
#include "harness/bench/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/suite/runner/verdict.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchStatus;
using report::BenchSubject;

std::size_t count(const BenchRecord& record, BenchStatus status) {
  return static_cast<std::size_t>(
      std::ranges::count(record.measurements, status, &BenchMeasurement::status));
}

bool has_run(const BenchMeasurement& cell) {
  return cell.status == BenchStatus::kMeasured || cell.status == BenchStatus::kSimulated;
}

/// The first subject that was requested by name and has run nothing; empty if there is
/// none.
std::string idle_subject(const BenchRecord& record, const std::vector<std::string>& named) {
  const auto is_idle = [&](const BenchSubject& subject) {
    return std::ranges::none_of(record.measurements, [&](const BenchMeasurement& cell) {
      return cell.subject == subject.id && has_run(cell);
    });
  };
  for (const BenchSubject& subject : record.subjects) {
    if (std::ranges::find(named, subject.subject) != named.end() && is_idle(subject))
      return subject.subject;
  }
  return "";
}

int exit_code_of(const BenchRecord& record, const std::string& idle) {
  if (record.meta.interrupted) return kExitInterrupted;
  if (count(record, BenchStatus::kFailed) > 0) return kExitFailure;
  const bool ran = std::ranges::any_of(record.measurements, has_run);
  return ran && idle.empty() ? kExitOk : kExitNothingRan;
}

std::string verdict(const BenchRecord& record, const std::string& idle) {
  std::string line = fmt::format("{} {} of {} measured", word_of(record.meta.exit_code),
                                 count(record, BenchStatus::kMeasured), record.measurements.size());
  const auto add = [&](BenchStatus status, const char* word) {
    if (const std::size_t found = count(record, status); found > 0) {
      line += fmt::format(", {} {}", found, word);
    }
  };
  add(BenchStatus::kFailed, "failed");
  add(BenchStatus::kSimulated, "simulated");
  add(BenchStatus::kUnsupported, "unsupported");
  add(BenchStatus::kNotRun, "not run");
  if (!idle.empty()) line += fmt::format(", no result of {}", idle);
  return line + fmt::format("; {} process{} each; {:.1f} s", record.meta.processes,
                            record.meta.processes == 1 ? "" : "es", record.meta.seconds);
}

}  // namespace

void judge(BenchRecord& record, const std::vector<std::string>& named) {
  const std::string idle = idle_subject(record, named);
  record.meta.exit_code = exit_code_of(record, idle);
  record.meta.line = verdict(record, idle);
}

}  // namespace assay::bench
