// Converts records back to what they were made of.
#include "harness/merge/rebuilt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/protocol/utf8.hpp"

namespace assay {
namespace {

std::chrono::nanoseconds from_seconds(double seconds) {
  constexpr double kMost = 1e9;  // thirty years
  return std::chrono::nanoseconds(std::llround(std::min(seconds, kMost) * 1e9));
}

template <typename T>
T required(const std::optional<T>& value, const std::string& text, const char* what) {
  if (value) return *value;
  throw std::runtime_error(fmt::format("'{}' is not {}", printable(text), what));
}

Contract contract_of(const std::string& text) {
  return required(contract_from_text(text), text, "a contract");
}

std::vector<Release> releases_of(const std::vector<std::string>& names) {
  std::vector<Release> releases;
  for (const std::string& name : names) {
    releases.push_back(required(release_named(name), name, "a release"));
  }
  return releases;
}

Waiver waiver_of(const report::WaiverRecord& record) {
  Waiver waiver;
  waiver.cases = record.cases;
  waiver.subject = record.subject;
  waiver.device = record.device;
  waiver.releases = releases_of(record.releases);
  waiver.reason = record.reason;
  waiver.link = record.link;
  waiver.owner = record.owner;
  waiver.tokens = record.signature;
  waiver.pattern = record.pattern;
  waiver.place = record.place;
  waiver.names_a_case = record.has_case;
  waiver.expires = required(day_from_text(record.expires), record.expires, "a day");
  return waiver;
}

Outcome outcome_before_waivers(const report::CaseRecord& record) {
  const bool is_waived = record.outcome == name_of(Outcome::kWaived);
  const std::string& text = is_waived ? record.was : record.outcome;
  const auto outcome = outcome_named(text);
  if (!outcome || *outcome == Outcome::kWaived || (is_waived && *outcome == Outcome::kPass)) {
    throw std::runtime_error(fmt::format("the case {} is {}, and was '{}' before",
                                         printable(record.id), record.outcome, printable(text)));
  }
  return *outcome;
}

void add_flags(const report::SubjectRecord& record, const report::Basis& basis, Tally& tally) {
  tally.not_applicable = record.not_applicable;
  tally.unclaimed = basis.unclaimed;
  tally.stale = basis.stale;
  tally.strict_end = basis.strict_end;
  tally.strict_waivers = basis.strict_waivers;
  tally.partial = basis.partial;
  if (basis.profile) {
    tally.profile = {basis.profile->name, basis.profile->judged, basis.profile->all};
  }
}

}  // namespace

CaseResult result_of(const report::CaseRecord& record, bool is_recorded, RebuiltCases& cases) {
  Case& test = *cases.emplace_back(std::make_unique<Case>());
  test.id = record.id;
  test.clauses = record.clauses;
  test.reach = reach_or_training(record.reach);
  // A case of the user is told from a recording by its folder, which this program does not know.
  if (is_recorded || record.file.ends_with(".cpp")) test.where = {record.file, record.line};
  CaseResult result;
  result.test = &test;
  result.contract = contract_of(record.contract);
  result.outcome = outcome_before_waivers(record);
  result.duration = from_seconds(record.seconds);
  result.excused = record.excused;
  result.required = record.required;
  result.lacks = record.lacks;
  result.changes = record.changes;
  result.mistake = record.mistake;
  if (result.excused) result.excuse = record.excuse;
  if (result.outcome != Outcome::kPass) {
    result.failure =
        Failure{record.sentence, record.expected, record.got, record.where, record.last_words};
  }
  result.history.resize(record.program.size());
  result.shortest = record.shortest;
  return result;
}

SubjectRun without_results(const report::SubjectRecord& record, const report::Basis& basis) {
  SubjectRun run;
  const auto typed = basis.key.find("subject");
  run.subject = typed == basis.key.end() ? record.subject : typed->second;
  run.info.name = record.name;
  run.info.version = record.version;
  for (const std::string& device : record.devices) {
    run.info.devices.push_back(required(device_from_text(device), device, "a device"));
  }
  run.info.areas = record.areas;
  run.info.without = record.without;
  run.info.threads = record.threads;
  run.info.foreign = record.foreign;
  for (const std::string& name : record.properties) {
    run.info.properties.push_back(required(property_named(name), name, "a property"));
  }
  for (const std::string& text : record.contracts) run.contracts.push_back(contract_of(text));
  run.rules.key.assign(basis.key.begin(), basis.key.end());
  run.rules.cases = basis.cases;
  run.rules.is_whole = basis.whole;
  run.rules.narrowed = {basis.narrowed.begin(), basis.narrowed.end()};
  for (const report::WaiverRecord& waiver : basis.waivers) {
    run.rules.waivers.push_back(waiver_of(waiver));
  }
  for (const report::SupportRecord& entry : basis.support) {
    run.rules.support.push_back({entry.cases, entry.command, entry.device,
                                 releases_of(entry.releases), entry.reason, entry.place});
  }
  run.tally.planned = basis.cases;
  add_flags(record, basis, run.tally);
  return run;
}

Tally tally_of(const report::SubjectRecord& record, const report::Basis& basis) {
  Tally tally;
  tally.planned = record.planned;
  add_flags(record, basis, tally);
  tally.waiver_findings = record.waiver_findings.size();
  tally.bad_ends = record.remarks.size();
  tally.lost = record.lost;
  tally.changed = !record.lost.empty() && record.exit_code == kExitFailure;
  RebuiltCases cases;
  bool is_bad = false;
  for (const report::CaseRecord& test : record.cases) {
    CaseResult result = result_of(test, false, cases);
    if (test.outcome == name_of(Outcome::kWaived)) result.outcome = Outcome::kWaived;
    is_bad = is_bad || result.spoils();
    tally.add(result);
  }
  // --fail-fast ends a run after a case that fails it.
  tally.interrupted = tally.ran() < tally.planned && tally.lost.empty() && !is_bad;
  return tally;
}

}  // namespace assay
