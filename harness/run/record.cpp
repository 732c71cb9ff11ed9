// Builds the record of a run.
#include "harness/run/record.hpp"

#include "harness/protocol/json.hpp"
#include "harness/run/gaps.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/faults.hpp"

namespace assay {
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

}  // namespace assay
