// The rules for which numbers may be compared.
#include "harness/compare/validity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;
using report::BenchSubject;

/// The device's own time of replays, which does not depend on the host code that queues them.
constexpr std::string_view kDeviceTime = "device.exec_ns";

bool build_of_its_own(const BenchRecord& record, const std::string& id) {
  const BenchSubject* subject = find_subject(record, id);
  return subject != nullptr && subject->build;
}

/// Ids of the subjects in the column's rows.
std::vector<std::string> subjects_of(const Column& column) {
  std::vector<std::string> ids;
  for (const BenchSubject& subject : column.record->subjects) {
    if (subject_in(column, subject.id)) ids.push_back(subject.id);
  }
  return ids;
}

/// The subjects of both columns whose rows are paired.
std::vector<std::pair<std::string, std::string>> subject_pairs(const Column& baseline,
                                                               const Column& candidate) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& id : subjects_of(baseline)) {
    for (const std::string& other : subjects_of(candidate)) {
      if (subject_in(baseline, id) == subject_in(candidate, other)) pairs.emplace_back(id, other);
    }
  }
  return pairs;
}

std::string text_of(const std::optional<bool>& value) {
  return value ? (*value ? "on" : "off") : "unknown";
}

/// Kernel and settings: they may affect times, and are often what the user wants to compare.
std::vector<std::array<std::string, 3>> settings_of(const BenchRecord& one,
                                                    const BenchRecord& other) {
  const report::BenchEnvironment& a = one.environment;
  const report::BenchEnvironment& b = other.environment;
  return {{"kernel", a.kernel, b.kernel},
          {"GPU driver", a.driver, b.driver},
          {"governor", a.governor.value_or("unknown"), b.governor.value_or("unknown")},
          {"SMT", text_of(a.smt), text_of(b.smt)},
          {"address space randomization", text_of(a.aslr), text_of(b.aslr)},
          {"shortest sample", fmt::format("{} ns", one.meta.min_time_ns),
           fmt::format("{} ns", other.meta.min_time_ns)}};
}

void label_differences(const Column& baseline, const Column& candidate,
                       std::vector<std::string>& labels) {
  const auto label = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) {
      labels.push_back(fmt::format("{} differs: {} in {}, {} in {}", what, a, baseline.label, b,
                                   candidate.label));
    }
  };
  label("machine", machine_of(*baseline.record), machine_of(*candidate.record));
  for (const auto& [what, a, b] : settings_of(*baseline.record, *candidate.record)) {
    label(what, a, b);
  }
  for (const auto& [a, b] : subject_pairs(baseline, candidate)) {
    const report::BenchBuild& one = build_of(*baseline.record, a);
    const report::BenchBuild& other = build_of(*candidate.record, b);
    label("compiler", one.compiler, other.compiler);
    label("compiler flags", one.flags, other.flags);
  }
}

bool has_simulated_subject(const Column& column) {
  return std::ranges::any_of(column.record->subjects, [&](const BenchSubject& subject) {
    return subject.subject == "cuda_on_cpu" && subject_in(column, subject.id);
  });
}

/// Warnings that this file states more precisely than the record does.
const std::set<std::string, std::less<>> kSaidHere{"quick", "dirty", "interrupted", "few_processes",
                                                   "debug"};

void label_column(const Column& column, std::vector<std::string>& labels) {
  const BenchRecord& record = *column.record;
  const std::string whole = column.key.empty() ? column.label : "the record";
  const auto label = [&](const std::string& what) { labels.push_back(whole + " " + what); };
  if (record.synthetic) label("is synthetic: no machine measured its numbers");
  const bool has_times = !report::has_counts_only(record);
  if (record.meta.quick && has_times) label("is a quick run, too short to rely on");
  if (record.meta.interrupted || !record.meta.complete) label("was interrupted");
  if (has_times && record.meta.processes < static_cast<std::int64_t>(kFewestProcesses)) {
    label(fmt::format("has {} processes per subject; a reliable record has at least {}",
                      record.meta.processes, kFewestProcesses));
  }
  for (const std::string& id : subjects_of(column)) {
    const report::BenchBuild& build = build_of(record, id);
    const std::string built = build_of_its_own(record, id) ? id + " in " + whole : whole;
    if (build.dirty) labels.push_back(built + " was built from a checkout with changes");
    if (build.build_type == "Debug") labels.push_back(built + " is a debug build");
  }
  for (const report::BenchWarning& warning : record.warnings) {
    if (!kSaidHere.contains(warning.kind)) labels.push_back(whole + ": " + warning.text);
  }
}

}  // namespace

const report::BenchBuild& build_of(const BenchRecord& record, const std::string& id) {
  return build_of_its_own(record, id) ? *find_subject(record, id)->build : record.meta.build;
}

void refuse_invalid(const Column& baseline, const Column& candidate, bool across_machines) {
  const BenchRecord& one = *baseline.record;
  const BenchRecord& other = *candidate.record;
  if (one.synthetic != other.synthetic) {
    throw Invalid(fmt::format(
        "{} is synthetic and {} is real: synthetic numbers are compared with synthetic ones only",
        one.synthetic ? baseline.label : candidate.label,
        one.synthetic ? candidate.label : baseline.label));
  }
  if (!across_machines && machine_of(one) != machine_of(other)) {
    throw Invalid(
        fmt::format("the machines differ: {} in {}, {} in {}; --col device or --across-machines "
                    "compares them anyway",
                    machine_of(one), baseline.label, machine_of(other), candidate.label));
  }
  for (const auto& [a, b] : subject_pairs(baseline, candidate)) {
    const std::string& type = build_of(one, a).build_type;
    const std::string& other_type = build_of(other, b).build_type;
    if (type == other_type) continue;
    throw Invalid(
        fmt::format("{} in {} is a {} build, {} in {} a {} build: their costs cannot be compared",
                    a, baseline.label, type, b, candidate.label, other_type));
  }
}

bool have_same_samples(const Column& one, const Column& other) {
  if (one.record == other.record) return false;
  using Numbers = std::vector<std::pair<std::string, std::vector<double>>>;
  const auto numbers_of = [](const Column& column, bool exact) {
    Numbers numbers;
    for (const report::BenchMeasurement& measurement : column.record->measurements) {
      if (measurement.exact != exact) continue;
      for (const report::BenchProcess& process : measurement.processes) {
        numbers.emplace_back(measurement.case_name,
                             exact ? std::vector{process.median} : process.samples);
      }
    }
    return numbers;
  };
  const report::BenchMeta& here = one.record->meta;
  const report::BenchMeta& there = other.record->meta;
  if (here.started != there.started) return false;
  const Numbers times = numbers_of(one, false);
  if (!times.empty()) return times == numbers_of(other, false);
  // Counts are the same in every run, so the run's own duration tells runs apart.
  const Numbers counts = numbers_of(one, true);
  return !counts.empty() && here.seconds == there.seconds && here.argv == there.argv &&
         counts == numbers_of(other, true);
}

std::vector<std::string> labels_for(const std::vector<Column>& columns) {
  std::vector<std::string> labels;
  for (const Column& column : columns) label_column(column, labels);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    label_differences(columns.front(), columns[i], labels);
    if (have_same_samples(columns.front(), columns[i])) {
      labels.push_back(columns.front().label + " and " + columns[i].label + " are the same run");
    }
  }
  if (std::ranges::any_of(columns, has_simulated_subject)) {
    labels.emplace_back(
        "cuda_on_cpu is the host code of the CUDA implementation beside simulated devices: its "
        "times say nothing about a GPU");
  }
  if (const std::int64_t looks = looks_at(columns); looks > 1) {
    labels.push_back(
        fmt::format("such a run ends as soon as it is decided: alpha is divided by its {} looks, "
                    "so that the error rate of all looks together does not exceed alpha",
                    looks));
  }
  std::set<std::string> seen;
  std::erase_if(labels, [&](const std::string& label) { return !seen.insert(label).second; });
  return labels;
}

std::int64_t looks_at(const std::vector<Column>& columns) {
  std::int64_t looks = 1;
  std::set<const BenchRecord*> seen;
  for (const Column& column : columns) {
    if (seen.insert(column.record).second) looks *= column.record->meta.looks.value_or(1);
  }
  return looks;
}

std::optional<std::string> refusal_of(const Column& baseline,
                                      const report::BenchMeasurement& before,
                                      const Column& candidate,
                                      const report::BenchMeasurement& after) {
  if (before.unit != after.unit) {
    return fmt::format("units differ: {} and {}", before.unit, after.unit);
  }
  if (before.better != after.better || before.exact != after.exact) {
    return "the sides disagree on what the number means";
  }
  const BenchSubject* one = find_subject(*baseline.record, before.subject);
  const BenchSubject* other = find_subject(*candidate.record, after.subject);
  if (one == nullptr || other == nullptr) return "a record does not describe the subject";
  if (one->via != other->via && before.quantity != kDeviceTime) {
    return fmt::format("loops in {} and loops in {} are not the same work",
                       one->via.value_or("nothing"), other->via.value_or("nothing"));
  }
  // Different subjects may follow different releases; one subject's numbers then are other work.
  const bool is_one = baseline.key.empty() || before.subject == after.subject;
  if (is_one && one->contract != other->contract) {
    return fmt::format("contracts differ: {} and {}", one->contract, other->contract);
  }
  return std::nullopt;
}

}  // namespace assay::compare
