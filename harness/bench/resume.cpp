// Checks that a record belongs to the planned run, and removes its incomplete round.
#include "harness/bench/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/bench/planned.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::bench {
namespace {

using report::BenchBuild;
using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchStatus;
using report::BenchSubject;

void expect_same(const char* what, const std::string& then, const std::string& now) {
  if (then == now) return;
  throw UsageError(fmt::format("--resume: {} {} in the record, and {} now", what, then, now));
}

std::string text_of(const BenchBuild& build) {
  return fmt::format(
      "assay {}, revision {}{}, {}, {}, {}", build.tool, build.revision,
      build.dirty ? fmt::format(" with changes ({:.12})", build.program.value_or("")) : "",
      build.build_type, build.compiler, build.flags);
}

std::string text_of(const report::BenchEnvironment& machine) {
  std::string text =
      fmt::format("{} ({}, {} cores, {}{}{})", machine.machine, machine.cpu, machine.cores,
                  machine.kernel, machine.driver.empty() ? "" : ", ", machine.driver);
  for (const report::BenchDevice& device : machine.devices) text += ", " + device.name;
  return text;
}

std::string text_of(const BenchSubject& subject) {
  return fmt::format("{} {}, {}{}", subject.name, subject.version, subject.contract,
                     subject.build ? ", " + text_of(*subject.build) : "");
}

std::string name_of_row(const BenchMeasurement& row) {
  return fmt::format("{} ({}) of {}", report::full_name(row.case_name, row.axes), row.quantity,
                     row.subject);
}

void expect_same_settings(const report::BenchMeta& then, const report::BenchMeta& now) {
  expect_same("the seed is", std::to_string(then.seed), std::to_string(now.seed));
  expect_same("the number of processes is", std::to_string(then.processes),
              std::to_string(now.processes));
  expect_same("the number of samples is", std::to_string(then.samples),
              std::to_string(now.samples));
  expect_same("the shortest sample in nanoseconds is", fmt::format("{}", then.min_time_ns),
              fmt::format("{}", now.min_time_ns));
  expect_same("the maximal number of looks is", std::to_string(then.looks.value_or(0)),
              std::to_string(now.looks.value_or(0)));
  expect_same("the device's clock is", then.device_clock.value_or("events"),
              now.device_clock.value_or("events"));
  expect_same("the run is", then.audited.value_or(false) ? "audited" : "not audited",
              now.audited.value_or(false) ? "audited" : "not audited");
  expect_same("the run is", then.quick ? "quick" : "not quick", now.quick ? "quick" : "not quick");
  expect_same("the build is", text_of(then.build), text_of(now.build));
}

void expect_same_rows(const BenchRecord& left, const Measured& now) {
  const auto ids = [](const std::vector<BenchSubject>& subjects) {
    std::vector<std::string> texts;
    for (const BenchSubject& subject : subjects) texts.push_back(subject.id);
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  expect_same("the subjects are", ids(left.subjects), ids(now.subjects));
  expect_same("the number of cases is",
              std::to_string(left.measurements.size() / left.subjects.size()),
              std::to_string(now.measurements.size() / now.subjects.size()));
  for (std::size_t i = 0; i < now.measurements.size(); ++i) {
    expect_same("the cases differ:", name_of_row(left.measurements[i]),
                name_of_row(now.measurements[i]));
  }
}

/// A row has one process per round until it fails. A row that failed in the incomplete round has as
/// many processes as there were complete rounds.
void keep_complete_rounds(BenchMeasurement& row, std::int64_t rounds) {
  std::erase_if(row.processes,
                [&](const report::BenchProcess& process) { return process.index >= rounds; });
  const bool is_whole = static_cast<std::int64_t>(row.processes.size()) == rounds;
  const bool is_open = row.status == BenchStatus::kMeasured || row.status == BenchStatus::kNotRun;
  const bool failed_later = row.status == BenchStatus::kFailed && is_whole;
  row.center.reset();
  row.interval.reset();
  row.null_calls.reset();
  if (!is_open && !failed_later) return;
  row.status = BenchStatus::kNotRun;
  row.checked = false;
  row.reason.reset();
}

std::vector<Floors> floors_of(const report::BenchCalibration& calibration, std::int64_t count) {
  const auto number = [](const std::optional<report::BenchFigure>& figure, std::size_t i) {
    return figure.value().medians.at(i);
  };
  std::vector<Floors> floors;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    floors.push_back({number(calibration.timer_cost_ns, i),
                      number(calibration.timer_resolution_ns, i),
                      number(calibration.empty_loop_ns, i), number(calibration.null_call_ns, i)});
  }
  return floors;
}

bool has_open_rows(const Measured& measured, const std::string& subject) {
  return std::ranges::any_of(measured.measurements, [&](const BenchMeasurement& row) {
    return row.subject == subject && row.status == BenchStatus::kNotRun;
  });
}

void expect_same_subject(const Contender& contender, const BenchSubject& then) {
  BenchSubject now = then;
  try {
    WorkerClient client(contender.open());
    introduce(client, contender, now);
  } catch (const LinkBroken& broken) {
    throw UsageError(
        fmt::format("--resume: '{}' cannot be started: {}", contender.id, reason_of(broken)));
  } catch (const WorkerError& error) {
    throw UsageError(
        fmt::format("--resume: '{}' cannot be started: {}", contender.id, error.what()));
  }
  expect_same(fmt::format("'{}' is", contender.id).c_str(), text_of(then), text_of(now));
}

}  // namespace

Measured resumed(const BenchRecord& left, const BenchRecord& head, const Plan& plan) {
  if (left.meta.complete) throw UsageError("--resume: the bench is complete");
  if (!left.done)
    throw UsageError("--resume continues measurements of time only, and this record holds counts");
  expect_same_settings(left.meta, head.meta);
  expect_same("the machine is", text_of(left.environment), text_of(head.environment));
  Measured measured = planned(plan, {"", "ns", false});
  expect_same_rows(left, measured);
  if (left.done->rounds == 0) return measured;
  measured.subjects = left.subjects;
  measured.measurements = left.measurements;
  measured.floors = floors_of(left.calibration, left.done->calibrated);
  measured.done = left.done;
  for (BenchMeasurement& row : measured.measurements) {
    keep_complete_rounds(row, left.done->rounds);
  }
  for (std::size_t i = 0; i < plan.contenders.size(); ++i) {
    if (has_open_rows(measured, plan.contenders[i].id))
      expect_same_subject(plan.contenders[i], left.subjects[i]);
  }
  return measured;
}

}  // namespace assay::bench
