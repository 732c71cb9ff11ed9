// Builds the record of a run.
#include "harness/run/record.hpp"

#include "harness/protocol/json.hpp"
#include "harness/run/gaps.hpp"
#include "harness/suite/card/card.hpp"

namespace assay {
namespace {

double in_seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
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
  if (!result.failure) return record;
  record.sentence = result.failure->sentence;
  record.expected = result.failure->expected;
  record.got = result.failure->got;
  record.where = result.failure->where;
  record.last_words = result.failure->last_words;
  record.replay = replay_line(result, subject);
  for (const Exchange& exchange : result.history) {
    record.program.emplace_back(to_json(exchange.command), to_json(exchange.reply));
  }
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
  for (const CaseResult& result : run.results) {
    record.cases.push_back(record_of(result, run.subject));
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
  record.line = line;
  record.waiver_findings = run.waiver_findings;
  record.support_findings = run.support_findings;
  record.lost = run.tally.lost;
  record.last_words = run.last_words;
  record.remarks = run.remarks;
  return record;
}

}  // namespace assay
