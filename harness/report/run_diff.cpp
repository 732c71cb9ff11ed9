// Compares the cases of paired subjects.
#include "harness/report/run_diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/text/reach.hpp"

namespace assay::report {
namespace {

/// Id and contract; the contract is empty if it is ignored.
using Key = std::pair<std::string, std::string>;
using Cases = std::map<Key, const CaseRecord*>;

Cases cases_of(const SubjectRecord* subject, bool is_across_contracts) {
  Cases cases;
  if (subject == nullptr) return cases;
  for (const CaseRecord& test : subject->cases) {
    const CaseRecord*& place = cases[{test.id, is_across_contracts ? "" : test.contract}];
    // Of several contracts, one that fails represents all.
    if (place == nullptr || spoils(test)) place = &test;
  }
  return cases;
}

std::string outcome_of(const CaseRecord* test) {
  if (test == nullptr) return "-";
  const bool excused = test->outcome == "unsupported" && test->excused;
  return excused ? "unsupported (excused)" : test->outcome;
}

/// True for an unsupported case that nothing excuses.
bool is_unanswered(const CaseRecord& test) {
  return test.outcome == "unsupported" && !test.excused;
}

/// A case that fails in both runs may hide a new mistake behind an old one.
bool fails_otherwise(const CaseRecord& before, const CaseRecord& after) {
  const auto words = [](const CaseRecord& test) {
    return std::tie(test.sentence, test.expected, test.got);
  };
  return before.outcome == "fail" && after.outcome == "fail" && words(before) != words(after);
}

std::string with_values(const CaseRecord& test) {
  if (test.expected.empty() && test.got.empty()) return test.sentence;
  return fmt::format("{}: expected {}, got {}", test.sentence, test.expected, test.got);
}

std::string sentence_of(Change change, const CaseRecord* before, const CaseRecord* after) {
  if (change != Change::kOtherFailure) return after == nullptr ? "" : after->sentence;
  return fmt::format("{}; before, {}", with_values(*after), with_values(*before));
}

/// Nothing if both sides are the same. A case that passed and is not answered any more has failed.
std::optional<Change> change_between(const CaseRecord* before, const CaseRecord* after) {
  const bool was_bad = before != nullptr && spoils(*before);
  const bool is_bad = after != nullptr && spoils(*after);
  const bool is_lost =
      before != nullptr && after != nullptr && before->outcome == "pass" && is_unanswered(*after);
  if ((is_bad && !was_bad) || is_lost) return Change::kNewFailure;
  if (before == nullptr) return Change::kAppeared;
  if (after == nullptr) return Change::kVanished;
  if (fails_otherwise(*before, *after)) return Change::kOtherFailure;
  if (outcome_of(before) == outcome_of(after)) return std::nullopt;
  return after->outcome == "pass" ? Change::kNewPass : Change::kOther;
}

void compare_pair(const SubjectPair& pair, bool is_across_contracts, RunDiff& diff) {
  std::map<Key, std::pair<const CaseRecord*, const CaseRecord*>> both;
  for (const auto& [key, test] : cases_of(pair.before, is_across_contracts)) both[key].first = test;
  for (const auto& [key, test] : cases_of(pair.after, is_across_contracts)) both[key].second = test;
  for (const auto& [key, tests] : both) {
    const auto& [before, after] = tests;
    if (before != nullptr && after != nullptr && (ran(*before) || ran(*after))) ++diff.compared;
    const auto change = change_between(before, after);
    if (!change) continue;
    diff.changes[static_cast<std::size_t>(*change)].push_back(
        {pair.name(), key.first, key.second, outcome_of(before), outcome_of(after),
         sentence_of(*change, before, after), (after == nullptr ? before : after)->reach});
  }
  for (std::vector<ChangedCase>& rows : diff.changes) {
    std::ranges::stable_sort(rows, {},
                             [](const ChangedCase& row) { return reach_or_training(row.reach); });
  }
}

template <typename Record>
void compare_verdicts(const std::string& name, const Record& before, const Record& after,
                      RunDiff& diff) {
  if (badness_of(after.exit_code) <= badness_of(before.exit_code)) return;
  diff.worse_verdicts.push_back(fmt::format("{}: {} -> {}", name, before.verdict, after.verdict));
}

/// The verdicts of the runs count only if both have the same subjects.
void compare_all_verdicts(const NamedRun& before, const NamedRun& after, RunDiff& diff) {
  for (const SubjectPair& pair : diff.subjects) {
    if (pair.before == nullptr || pair.after == nullptr) continue;
    compare_verdicts(pair.name(), *pair.before, *pair.after, diff);
  }
  if (diff.worse_verdicts.empty() && diff.unpaired() == 0) {
    compare_verdicts("the whole run", before.run, after.run, diff);
  }
}

/// A subject that ran only on one side cannot be compared.
std::vector<std::string> half_run(const NamedRun& before, const NamedRun& after,
                                  const std::vector<SubjectPair>& pairs) {
  std::vector<std::string> refusals;
  for (const SubjectPair& pair : pairs) {
    for (const auto& [subject, file] :
         {std::pair(pair.before, before.file), std::pair(pair.after, after.file)}) {
      const bool ran_elsewhere = (pair.before != nullptr && has_run(*pair.before)) ||
                                 (pair.after != nullptr && has_run(*pair.after));
      if (subject == nullptr || has_run(*subject) || !ran_elsewhere) continue;
      refusals.push_back(fmt::format(
          "in {} no case of '{}' ran: every one is unsupported. Run again, with a selection of "
          "which cases can run",
          file, subject->subject));
    }
  }
  return refusals;
}

void refuse(const std::vector<std::string>& reasons) {
  if (!reasons.empty()) throw NotComparable(fmt::format("{}", fmt::join(reasons, "\n")));
}

}  // namespace

int badness_of(int exit_code) {
  constexpr std::array kFromGoodToBad{0, 77, 4, 6, 5, 1};
  const auto found = std::ranges::find(kFromGoodToBad, exit_code);
  return static_cast<int>(found - kFromGoodToBad.begin());
}

std::size_t RunDiff::unpaired() const {
  return static_cast<std::size_t>(std::ranges::count_if(subjects, [](const SubjectPair& pair) {
    return pair.before == nullptr || pair.after == nullptr;
  }));
}

RunDiff diff_of(const NamedRun& before, const NamedRun& after, const DiffRules& rules) {
  std::vector<std::string> reasons = lacks_of(before);
  std::ranges::copy(lacks_of(after), std::back_inserter(reasons));
  const std::string shards = difference_of_shards(before, after);
  if (!shards.empty()) reasons.push_back(shards);
  refuse(reasons);
  Pairing pairing = pair_subjects(before, after, rules.pairs);
  refuse(pairing.refusals);
  refuse(half_run(before, after, pairing.pairs));
  RunDiff diff;
  for (const SubjectPair& pair : pairing.pairs) {
    compare_pair(pair, rules.is_across_contracts, diff);
  }
  diff.subjects = std::move(pairing.pairs);
  compare_all_verdicts(before, after, diff);
  return diff;
}

bool is_worse(const RunDiff& diff, const DiffRules& rules) {
  if (!diff.of(Change::kNewFailure).empty() || !diff.worse_verdicts.empty()) return true;
  const bool is_less = !diff.of(Change::kVanished).empty() || diff.unpaired() > 0;
  if (is_less && !rules.may_vanish) return true;
  return rules.is_strict &&
         std::ranges::any_of(diff.of(Change::kOther),
                             [](const ChangedCase& row) { return row.before == "pass"; });
}

}  // namespace assay::report
