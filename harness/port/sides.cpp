// Asks a subject which of two releases it agrees with.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/port/key_numbers.hpp"
#include "harness/port/port.hpp"
#include "harness/program/compare_replies.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

using Exchanges = std::vector<std::pair<Command, Reply>>;

/// What ran counts only where that is what changed.
bool is_about_ran(const ChangedCase& changed) {
  const std::string& where = changed.program.difference.where;
  return where.starts_with("ran") || where.find(" ran") != std::string::npos;
}

/// Passes if all replies are the expected ones, and the last one is shown in full.
void expect_replies(Session& subject, const Exchanges& exchanges, bool about_ran) {
  const auto seen = [&](Reply reply) {
    return about_ran ? without_key_numbers(std::move(reply)) : without_ran(std::move(reply));
  };
  ProgramComparison comparison;
  for (const auto& [command, wanted] : exchanges) {
    const Reply got = seen(subject.ask(command));
    if (got.status == Reply::Status::kUnsupported) throw Unsupported(got.reason);
    const auto difference = comparison.compare(command, got, seen(wanted));
    if (!difference) continue;
    throw CheckFailed(difference->where + " differs", difference->wanted, difference->got,
                      std::source_location());
  }
  if (!comparison.unanswered().empty()) throw NotShown(comparison.unanswered());
}

/// Expects the replies of one release, whatever the release of the subject's contract.
Case case_of(const ChangedCase& changed, Side side) {
  Case made;
  made.id = changed.test->id;
  made.clauses = changed.test->clauses;
  made.where = changed.test->where;
  made.unless = changed.test->unless;
  made.applies.device_rules = changed.newer.device_rules;
  made.applies.deviations = changed.newer.deviations;
  Exchanges exchanges = changed.program.exchanges;
  if (side == Side::kOlder) exchanges.back().second = changed.program.older_reply;
  made.body = [exchanges = std::move(exchanges), about = is_about_ran(changed)](Session& subject) {
    expect_replies(subject, exchanges, about);
  };
  return made;
}

struct Answers {
  std::map<std::string, Outcome> outcomes;
  std::string lost;
};

/// What the subject makes of the programs, if it were one of the releases.
Answers answers_as(Side side, const std::vector<ChangedCase*>& changed, ConnectedSubject& subject,
                   const PortOptions& options) {
  std::vector<Case> cases;
  for (const ChangedCase* one : changed) cases.push_back(case_of(*one, side));
  std::ranges::sort(cases, {}, &Case::id);
  RunSubjectOptions run = options.run;
  run.cases = &cases;
  run.selection.full = true;
  run.selection.filters.clear();
  const SubjectRun done = run_subject(subject, run);
  if (run.pool.stop != nullptr && run.pool.stop->is_set()) throw Interrupted();
  Answers answers{{}, done.tally.lost};
  for (const CaseResult& result : done.results) {
    answers.outcomes.emplace(result.test->id, result.outcome);
  }
  return answers;
}

/// A program that passes both ways shows nothing, nor do kernels that are neither's: subjects list
/// them differently.
Side side_of(Outcome as_older, Outcome as_newer, bool about_ran) {
  if (as_newer == Outcome::kUnsupported || as_older == Outcome::kUnsupported) return Side::kSilent;
  const bool is_older = as_older == Outcome::kPass;
  const bool is_newer = as_newer == Outcome::kPass;
  if (is_older == is_newer) return is_older || about_ran ? Side::kSilent : Side::kNeither;
  return is_older ? Side::kOlder : Side::kNewer;
}

}  // namespace

std::string_view name_of(Side side) {
  switch (side) {
    case Side::kOlder:
      return "older";
    case Side::kNewer:
      return "newer";
    case Side::kNeither:
      return "neither";
    case Side::kSilent:
      return "silent";
  }
  return "";
}

std::optional<Side> ChangedRule::side() const {
  std::set<Side> sides;
  for (const ChangedCase& changed : cases) {
    if (changed.side) sides.insert(*changed.side);
  }
  for (const Side side : {Side::kNeither, Side::kOlder, Side::kNewer, Side::kSilent}) {
    if (sides.contains(side)) return side;
  }
  return std::nullopt;
}

std::string find_sides(ConnectedSubject& subject, const PortOptions& options,
                       std::vector<ChangedRule>& rules) {
  std::vector<ChangedCase*> changed;
  for (ChangedRule& rule : rules) {
    for (ChangedCase& one : rule.cases) changed.push_back(&one);
  }
  const Answers as_newer = answers_as(Side::kNewer, changed, subject, options);
  if (!as_newer.lost.empty()) return as_newer.lost;
  const Answers as_older = answers_as(Side::kOlder, changed, subject, options);
  for (ChangedCase* one : changed) {
    const auto newer = as_newer.outcomes.find(one->test->id);
    const auto older = as_older.outcomes.find(one->test->id);
    if (newer == as_newer.outcomes.end() || older == as_older.outcomes.end()) continue;
    one->side = side_of(older->second, newer->second, is_about_ran(*one));
  }
  return as_older.lost;
}

}  // namespace assay
