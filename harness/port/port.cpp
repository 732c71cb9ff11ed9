// Looks for programs that two releases answer differently.
#include "harness/port/port.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/port/key_numbers.hpp"
#include "harness/port/sentences.hpp"
#include "harness/program/differential.hpp"
#include "harness/program/shrink.hpp"
#include "harness/recorded/recorded_cases.hpp"
#include "harness/recorded/transcripts.hpp"
#include "harness/suite/runner/hello.hpp"

namespace assay {
namespace {

using Histories = std::map<std::string, CaseResult>;

void stop_if_asked(const StopSignal* stop) {
  if (stop != nullptr && stop->is_set()) throw Interrupted();
}

Selection selection_under(const Contract& contract, Selection selection) {
  selection.release = contract.release;
  selection.device_rules = contract.device_rules;
  selection.deviations = contract.deviations;
  return selection;
}

Block commands_of(const CaseResult& result) {
  Block program;
  for (const Exchange& exchange : result.history) program.push_back(exchange.command);
  return program;
}

Contract at(Release release, Contract contract) {
  contract.release = release;
  return contract;
}

ChangedProgram program_of(ProgramResult shown) {
  return {std::move(shown.exchanges), std::move(*shown.got), std::move(*shown.difference)};
}

/// The reference under the rules of one kind of device, as two releases.
class TwoReleases {
 public:
  TwoReleases(const PortOptions& options, const Contract& under)
      : options_(options),
        older_(at(options.older, under)),
        newer_(at(options.newer, under)),
        old_(connect("reference", {}).link),
        new_(connect("reference", {}).link),
        same_(connect("reference", {}).link),
        differential_(old_, older_, new_, newer_),
        repetition_(same_, newer_, new_, newer_) {
    say_hello(old_, older_);
    say_hello(new_, newer_);
    say_hello(same_, newer_);
  }

  /// Of the cases that are not `known`.
  std::vector<ChangedCase> changed_cases(const std::set<std::string>& known) {
    std::vector<ChangedCase> found;
    const Histories before = histories(older_);
    for (const auto& [id, result] : histories(newer_)) {
      const auto same = before.find(id);
      if (known.contains(id)) continue;
      auto changed = changed_case(result);
      if (!changed && same != before.end()) changed = changed_case(same->second);
      if (changed) found.push_back(std::move(*changed));
    }
    for (const auto& [id, result] : before) {
      if (known.contains(id) || holds_for_newer(*result.test)) continue;
      if (auto changed = changed_case(result)) found.push_back(std::move(*changed));
    }
    return found;
  }

  bool found(const ChangedCase& changed) const { return changed.newer == newer_; }

  /// Leaves out of what is shown what the difference does not need.
  void shorten(ChangedCase& changed) {
    Block program;
    for (const auto& [command, reply] : changed.program.exchanges) program.push_back(command);
    const std::string signature = differential_.run(program).signature();
    const auto still_shows = [&](const Block& shorter) {
      stop_if_asked(options_.run.pool.stop);
      const ProgramResult again = differential_.run(shorter);
      return again.end == ProgramResult::End::kDiffers && again.signature() == signature;
    };
    constexpr std::size_t kMostTries = 500;
    ProgramResult shown = differential_.run(shrink(std::move(program), still_shows, kMostTries));
    if (shown.end == ProgramResult::End::kDiffers) changed.shown = program_of(std::move(shown));
  }

 private:
  bool holds_for_newer(const Case& test) const { return test.applies.admits(newer_); }

  /// What every case that holds for the contract sends.
  Histories histories(const Contract& contract) const {
    RunSubjectOptions run;
    run.selection = selection_under(contract, options_.run.selection);
    run.pool.stop = options_.run.pool.stop;
    run.pool.runner.keep_history = true;
    ConnectedSubject reference = connect("reference", {});
    Histories found;
    for (CaseResult& result : run_subject(reference, run).results) {
      const std::string id = result.test->id;
      if (result.outcome == Outcome::kPass) found.emplace(id, std::move(result));
    }
    stop_if_asked(run.pool.stop);
    return found;
  }

  /// Nothing if both releases answer its commands alike, if one cannot answer them, or if one
  /// release does not answer them alike twice, as with threads.
  std::optional<ChangedCase> changed_case(const CaseResult& result) {
    stop_if_asked(options_.run.pool.stop);
    const Block program = commands_of(result);
    ProgramResult shown = differential_.run(program);
    if (shown.end != ProgramResult::End::kDiffers) return std::nullopt;
    if (repetition_.run(program).end != ProgramResult::End::kAgreed) return std::nullopt;
    ChangedProgram changed = program_of(std::move(shown));
    return ChangedCase{result.test, older_, newer_, changed, changed};
  }

  const PortOptions& options_;
  Contract older_, newer_;
  WithoutKeyNumbers old_, new_, same_;
  Differential differential_;
  Differential repetition_;  ///< the newer release beside itself
};

/// Under each of the rules, in their order.
class Comparisons {
 public:
  explicit Comparisons(const PortOptions& options) {
    for (const Contract& under : options.under) releases_.emplace_back(options, under);
  }

  std::vector<ChangedCase> changed_cases() {
    std::vector<ChangedCase> all;
    std::set<std::string> known;
    for (TwoReleases& releases : releases_) {
      for (ChangedCase& changed : releases.changed_cases(known)) {
        known.insert(changed.test->id);
        all.push_back(std::move(changed));
      }
    }
    return all;
  }

  void shorten(ChangedCase& changed) {
    for (TwoReleases& releases : releases_) {
      if (releases.found(changed)) releases.shorten(changed);
    }
  }

 private:
  std::list<TwoReleases> releases_;
};

std::vector<std::string> sentences_in(const Clause& clause, const PortOptions& options) {
  return sentences_about(clause.text, options.older, options.newer);
}

/// The first clause of the case that speaks of these releases, or its first one.
const Clause* clause_of(const Case& test, const PortOptions& options) {
  const Clause* first = nullptr;
  for (const std::string& id : test.clauses) {
    const Clause* clause = find_clause(id);
    if (clause == nullptr) continue;
    const bool has_changed = clause->holds_for(options.older) != clause->holds_for(options.newer) ||
                             !sentences_in(*clause, options).empty();
    if (has_changed) return clause;
    if (first == nullptr) first = clause;
  }
  return first;
}

std::string area_of(const Case& test) { return test.id.substr(0, test.id.find('/')); }

/// Notes one recording of one area: it has the case in its present form, answered under one of the
/// two contracts.
void note_recording(const std::string& set, const std::string& file,
                    const std::vector<ChangedCase*>& shown) {
  const Transcript transcript = read_transcript(file);
  std::map<std::string, ChangedCase*> by_id;
  for (ChangedCase* changed : shown) by_id.emplace(changed->test->id, changed);
  for (const TranscriptEntry& entry : transcript.entries) {
    const auto found = by_id.find(entry.case_id);
    if (found == by_id.end()) continue;
    ChangedCase& changed = *found->second;
    const bool is_meant = entry.contract == changed.older || entry.contract == changed.newer;
    const bool is_answered = entry.outcome == "pass" || entry.outcome == "fail";
    if (!is_meant || !is_answered || !is_repeatable(transcript.header, entry)) continue;
    changed.recordings.push_back(set);
  }
}

void note_recordings(const std::vector<ChangedCase*>& shown) {
  std::map<std::string, std::vector<ChangedCase*>> by_area;
  for (ChangedCase* changed : shown) by_area[area_of(*changed->test)].push_back(changed);
  for (const RecordingSet& set : recordings_in_program()) {
    const auto is_of = [&](const Contract& contract) {
      return set.name.starts_with(std::string(name_of(contract.release)) + ".");
    };
    for (const auto& [area, changed] : by_area) {
      const std::string file = set.name + "/" + area;
      const bool has_area = std::ranges::find(set.files, file) != set.files.end();
      const ChangedCase& any = *changed.front();
      if (has_area && (is_of(any.older) || is_of(any.newer))) {
        note_recording(set.name, file, changed);
      }
    }
  }
}

Reach reach_of(const ChangedRule& rule) {
  return rule.clause == nullptr ? Reach::kWords : rule.clause->reach;
}

}  // namespace

std::vector<Contract> contracts_of(ConnectedSubject& subject, const RunSubjectOptions& run) {
  RunSubjectOptions nothing = run;
  nothing.selection.filters = {"none/of/the/cases"};
  std::vector<Contract> found;
  for (const Contract& contract : run_subject(subject, nothing).contracts) {
    const auto has_rules = [&](const Contract& each) {
      return each.device_rules == contract.device_rules;
    };
    if (std::ranges::none_of(found, has_rules)) found.push_back(contract);
  }
  return found;
}

std::vector<Contract> contracts_of(Selection selection) {
  selection.release = kNewestRelease;
  selection.deviations = selection.deviations.value_or(Deviations::kCompat);
  return wanted_contracts(selection);
}

std::vector<ChangedRule> changed_rules(const PortOptions& options) {
  Comparisons comparisons(options);
  std::map<const Clause*, ChangedRule> by_clause;
  for (ChangedCase& changed : comparisons.changed_cases()) {
    const Clause* clause = clause_of(*changed.test, options);
    by_clause[clause].cases.push_back(std::move(changed));
  }
  std::vector<ChangedRule> rules;
  for (auto& [clause, rule] : by_clause) {
    rule.clause = clause;
    if (clause != nullptr) rule.sentences = sentences_in(*clause, options);
    std::ranges::stable_sort(rule.cases, {},
                             [](const ChangedCase& each) { return each.program.exchanges.size(); });
    comparisons.shorten(rule.cases.front());
    rules.push_back(std::move(rule));
  }
  std::vector<ChangedCase*> shown;
  for (ChangedRule& rule : rules) shown.push_back(&rule.cases.front());
  note_recordings(shown);
  std::ranges::stable_sort(rules, {}, [](const ChangedRule& rule) {
    return std::tuple(!rule.says_so(), reach_of(rule),
                      rule.clause == nullptr ? "" : rule.clause->id);
  });
  return rules;
}

}  // namespace assay
