// Makes the record of a run, so far or at its end, and writes it.
#include "harness/run/record.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/console/terminal.hpp"
#include "harness/protocol/json.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/overall.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/faults.hpp"

namespace assay {

// The files.

namespace {

bool on_github() {
  const char* there = std::getenv("GITHUB_ACTIONS");
  return there != nullptr && std::string_view(there) == "true";
}

}  // namespace

void write_record(const RecordFiles& files, const report::RunRecord& run) {
  if (!files.json.empty()) report::write_whole(files.json, report::to_json(run));
  if (!files.junit.empty()) report::write_whole(files.junit, report::to_junit(run));
  if (!files.markdown.empty()) report::write_whole(files.markdown, report::to_markdown(run));
}

void annotate(const report::RunRecord& run) {
  if (on_github()) print_workflow_commands(report::to_annotations(run));
}

// The results of a part.

namespace {

double in_seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

std::vector<std::string> names_of(const std::vector<Release>& releases) {
  std::vector<std::string> names;
  for (const Release release : releases) names.emplace_back(name_of(release));
  return names;
}

report::WaiverRecord record_of(const Waiver& waiver) {
  return {waiver.cases,  waiver.subject, waiver.device, names_of(waiver.releases),
          waiver.reason, waiver.link,    waiver.owner,  to_text(waiver.expires),
          waiver.tokens, waiver.pattern, waiver.place,  has_case(waiver)};
}

report::Basis basis_of(const SubjectRun& run) {
  report::Basis basis;
  basis.key = {run.rules.key.begin(), run.rules.key.end()};
  basis.cases = run.rules.cases;
  basis.whole = run.rules.is_whole;
  basis.unclaimed = run.tally.unclaimed;
  basis.narrowed = {run.rules.narrowed.begin(), run.rules.narrowed.end()};
  basis.stale = run.tally.stale;
  basis.strict_end = run.tally.strict_end;
  basis.strict_waivers = run.tally.strict_waivers;
  basis.partial = run.tally.partial;
  if (const ProfileTally& profile = run.tally.profile; !profile.name.empty()) {
    basis.profile = {profile.name, profile.judged, profile.all};
  }
  for (const Waiver& waiver : run.rules.waivers) basis.waivers.push_back(record_of(waiver));
  for (const SupportEntry& entry : run.rules.support) {
    if (entry.may_idle) continue;  // nothing is found about it
    basis.support.push_back({entry.cases, entry.command, entry.device, names_of(entry.releases),
                             entry.reason, entry.place});
  }
  return basis;
}

/// The record from which the result was read, as the result is now.
report::CaseRecord record_of(const CaseResult& result, report::CaseRecord record) {
  record.outcome = name_of(result.outcome);
  record.was = result.unwaived ? name_of(*result.unwaived) : "";
  record.excuse = result.excuse;
  if (result.failure) record.sentence = result.failure->sentence;
  return record;
}

report::CaseRecord record_of(const CaseResult& result, const std::string& subject) {
  report::CaseRecord record;
  record.id = result.test->id;
  record.contract = to_text(result.contract);
  record.outcome = name_of(result.outcome);
  record.clauses = result.test->clauses;
  record.seconds = in_seconds(result.duration);
  record.file = result.test->where.file;
  record.line = result.test->where.line;
  record.excused = result.excused;
  record.required = result.required;
  record.lacks = result.lacks;
  record.excuse = result.excuse;
  record.changes = result.changes;
  record.mistake = result.mistake;
  if (const Reach reach = reach_of(*result.test); reach != Reach::kTraining) {
    record.reach = name_of(reach);
  }
  if (result.unwaived) record.was = name_of(*result.unwaived);
  if (!result.failure) return record;
  record.sentence = result.failure->sentence;
  record.expected = result.failure->expected;
  record.got = result.failure->got;
  record.where = result.failure->where;
  record.last_words = result.failure->last_words;
  record.replay = replay_line(result, subject);
  record.shortest = result.shortest;
  for (const Exchange& exchange : result.history) {
    record.program.emplace_back(to_json(exchange.command), to_json(exchange.reply));
  }
  return record;
}

report::CauseRecord record_of(const Cause& cause) {
  const Fault& fault = *find_fault(cause.faults.front());
  report::CauseRecord record;
  record.sentence = fault.what;
  record.clause = fault.clauses.front();
  record.fault = fault.name;
  for (std::size_t i = 1; i < cause.faults.size(); ++i) {
    record.others.push_back(find_fault(cause.faults[i])->what);
  }
  record.cases = cause.explained;
  record.exact = cause.exact;
  record.perhaps = cause.is_guess;
  return record;
}

}  // namespace

report::SubjectRecord record_of(const SubjectRun& run, const ClauseCount& clauses,
                                const std::string& line) {
  report::SubjectRecord record;
  record.subject = run.subject;
  record.name = run.info.name;
  record.version = run.info.version;
  for (const Device& device : run.info.devices) record.devices.push_back(to_text(device));
  record.areas = run.info.areas;
  record.without = run.info.without;
  for (const Contract& contract : run.contracts) record.contracts.push_back(to_text(contract));
  record.threads = run.info.threads;
  record.foreign = run.info.foreign;
  for (const Property property : run.info.properties) {
    record.properties.emplace_back(name_of(property));
  }
  for (const CaseResult& result : run.results) {
    const auto read = run.recorded.find(result.test);
    record.cases.push_back(read == run.recorded.end() ? record_of(result, run.subject)
                                                      : record_of(result, read->second));
    ++record.outcomes[std::string(name_of(result.outcome))];
  }
  record.planned = run.tally.planned;
  record.not_applicable = run.tally.not_applicable;
  record.clauses_witnessed = clauses.witnessed;
  record.clauses = clauses.all;
  record.seconds = in_seconds(run.tally.duration);
  record.exit_code = run.tally.exit_code();
  record.verdict = run.tally.verdict();
  record.in_full = run.tally.in_full();
  record.in_part = run.tally.in_part();
  record.unanswered = unanswered_commands(run.results);
  for (const Cause& cause : run.diagnosis.causes) record.causes.push_back(record_of(cause));
  record.line = line;
  record.waiver_findings = run.waiver_findings;
  record.support_findings = run.support_findings;
  record.lost = run.tally.lost;
  record.last_words = run.last_words;
  record.remarks = run.remarks;
  if (!run.rules.key.empty()) record.basis = basis_of(run);
  return record;
}

// Collects the results of a run in progress.

namespace {

report::SubjectRecord interrupted(SubjectRun run, const std::string& label) {
  std::ranges::sort(run.results, {}, [](const CaseResult& result) {
    return std::tuple(result.test->id, to_text(result.contract));
  });
  for (const CaseResult& result : run.results) {
    run.tally.add(result);
    run.tally.duration += result.duration;
  }
  run.tally.interrupted = true;
  const ClauseCount clauses = count_clauses(run.tally, run.info, false);
  report::SubjectRecord record = record_of(run, clauses, verdict_line(label, run.tally, clauses));
  record.subject = label;
  return record;
}

}  // namespace

void PartialResults::watch(const std::string& label, RunSubjectOptions& options) {
  {
    const std::scoped_lock lock(mutex_);
    label_ = label;
    run_ = SubjectRun();
  }
  options.on_plan = [this, told = std::move(options.on_plan)](const SubjectRun& run,
                                                              const Plan& plan) {
    {
      const std::scoped_lock lock(mutex_);
      run_ = run;
    }
    if (told) told(run, plan);
  };
  options.pool.on_result = [this,
                            told = std::move(options.pool.on_result)](const CaseResult& result) {
    {
      const std::scoped_lock lock(mutex_);
      run_.results.push_back(result);
    }
    if (told) told(result);
  };
}

void PartialResults::add(report::SubjectRecord record) {
  const std::scoped_lock lock(mutex_);
  ended_.push_back(std::move(record));
  label_.clear();
}

void PartialResults::leave_out() {
  const std::scoped_lock lock(mutex_);
  label_.clear();
}

void PartialResults::add_absent(const std::string& label) {
  const std::scoped_lock lock(mutex_);
  absent_.push_back(label);
}

std::vector<std::string> PartialResults::absent() const {
  const std::scoped_lock lock(mutex_);
  return absent_;
}

std::vector<report::SubjectRecord> PartialResults::records() const {
  std::unique_lock lock(mutex_);
  std::vector<report::SubjectRecord> records = ended_;
  if (label_.empty()) return records;
  SubjectRun run = run_;
  const std::string label = label_;
  lock.unlock();
  records.push_back(interrupted(std::move(run), label));
  return records;
}

}  // namespace assay
