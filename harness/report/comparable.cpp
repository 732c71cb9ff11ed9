// Rejects records of unfinished runs.
#include "harness/report/comparable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::report {
namespace {

constexpr int kInterrupted = 130;
constexpr int kInternal = 3;
constexpr int kIncomplete = 4;

std::string progress_of(const SubjectRecord& subject) {
  return fmt::format("{} of {} cases of '{}' ran", subject.cases.size(), subject.planned,
                     subject.subject);
}

/// Empty if everything that was planned has run.
std::string lack_of(const SubjectRecord& subject) {
  if (subject.exit_code == kInterrupted) {
    return fmt::format(
        "it was interrupted; {}. Finish it: the same command with --resume and its journal",
        progress_of(subject));
  }
  const bool is_short = subject.cases.size() < subject.planned;
  if (subject.exit_code == kInternal && (is_short || subject.cases.empty())) {
    return subject.planned == 0
               ? fmt::format("'{}' never started. Fix the subject, and run again", subject.subject)
               : fmt::format("the subject was given up; {}. Fix the subject, and run again",
                             progress_of(subject));
  }
  if (is_short && subject.exit_code == kIncomplete) {
    return fmt::format("shards are missing; {}. Run them, and merge again", progress_of(subject));
  }
  if (is_short) return fmt::format("{}. Run again, without --fail-fast", progress_of(subject));
  if (subject.exit_code != kInternal) return "";
  return fmt::format("the harness itself failed on '{}', so its results prove nothing. Run again",
                     subject.subject);
}

std::string share_of(const NamedRun& record) {
  return record.run.shard.empty()
             ? fmt::format("{} is a complete run", record.file)
             : fmt::format("{} is the shard {} of a run", record.file, record.run.shard);
}

}  // namespace

bool ran(const CaseRecord& test) { return test.outcome != "unsupported"; }

bool has_run(const SubjectRecord& subject) { return std::ranges::any_of(subject.cases, ran); }

std::vector<std::string> lacks_of(const NamedRun& record) {
  std::vector<std::string> lacks;
  const auto add = [&](const std::string& what) {
    lacks.push_back(fmt::format("{} is not the record of a complete run: {}", record.file, what));
  };
  const RunRecord& run = record.run;
  for (const SubjectRecord& subject : run.subjects) {
    if (const std::string lack = lack_of(subject); !lack.empty()) add(lack);
  }
  if (!lacks.empty()) return lacks;
  if (run.exit_code == kInternal) {
    add("the harness itself failed. Run again");
  } else if (run.exit_code == kInterrupted) {
    add("it was interrupted before its last subject. Finish it: the same command with --resume "
        "and its journal");
  } else if (std::ranges::none_of(run.subjects, has_run)) {
    add("nothing ran. Run again, with a selection and a subject of which cases can run");
  }
  return lacks;
}

std::string difference_of_shards(const NamedRun& before, const NamedRun& after) {
  if (before.run.shard == after.run.shard) return "";
  return fmt::format("{}, and {}: compare two complete runs, or the same shard of both",
                     share_of(before), share_of(after));
}

}  // namespace assay::report
