// Runs levels, and asks the reference what the open cases of one need.
#include "harness/next/next.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/protocol/json.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

/// What hello leaves out is what is not built yet. A reason of a support file, and a device that
/// the machine lacks, stay.
bool is_open(const CaseResult& result) {
  if (result.outcome != Outcome::kUnsupported) return false;
  return !result.excused || result.excuse.starts_with("hello: without");
}

RunSubjectOptions options_for(const std::string& area, const RunSubjectOptions& run) {
  RunSubjectOptions options = run;
  options.selection.filters = {area + "/*"};
  options.pool.runner.keep_history = true;
  return options;
}

Level level_of(const std::string& area, const SubjectRun& run) {
  Level level{.area = area, .cases = run.results.size()};
  for (const CaseResult& result : run.results) {
    const bool is_answered = result.outcome != Outcome::kUnsupported;
    level.failed += result.spoils() ? 1U : 0U;
    level.passed += is_answered && !result.spoils() ? 1U : 0U;
    level.open += !result.spoils() && is_open(result) ? 1U : 0U;
  }
  level.excused = level.cases - level.passed - level.failed - level.open;
  return level;
}

const CaseResult* shortest_failure(const SubjectRun& run) {
  const CaseResult* found = nullptr;
  for (const CaseResult& result : run.results) {
    if (!result.spoils()) continue;
    if (found == nullptr || result.history.size() < found->history.size()) found = &result;
  }
  return found;
}

/// Without what differs between two places of one command.
std::string text_of(const Example& example) {
  Command command = example.exchange.command;
  command.id.reset();
  command.as.clear();
  return to_json(command);
}

/// The shortest, which may be empty lists, and one of ordinary length.
std::vector<Example> shortest_and_ordinary(const std::vector<Example>& all) {
  std::map<std::pair<std::size_t, std::string>, const Example*> by_length;
  for (const Example& one : all) {
    std::string text = text_of(one);
    by_length.emplace(std::pair(text.size(), std::move(text)), &one);
  }
  std::vector<Example> chosen;
  if (by_length.empty()) return chosen;
  chosen.push_back(*by_length.begin()->second);
  const auto middle = static_cast<std::ptrdiff_t>(by_length.size() / 2);
  if (middle > 0) chosen.push_back(*std::next(by_length.begin(), middle)->second);
  return chosen;
}

/// The reference, which conforms, on the cases of an area.
class Trusted {
 public:
  Trusted(const std::string& area, const RunSubjectOptions& run, const Contract& contract) {
    RunSubjectOptions options = options_for(area, run);
    options.selection.release = contract.release;
    options.selection.device_rules = contract.device_rules;
    options.selection.deviations = contract.deviations;
    options.introduced.clear();
    options.pool.jobs = 1;
    ConnectedSubject reference = connect("reference", {});
    run_ = run_subject(reference, options);
    for (const CaseResult& result : run_.results) {
      if (result.outcome == Outcome::kPass) needs_[result.test->id] = commands_in(result.history);
    }
  }

  /// Nothing for a case of another contract.
  const std::set<std::string>* needs_of(const std::string& id) const {
    const auto found = needs_.find(id);
    return found == needs_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, std::set<std::string>>& needs() const { return needs_; }

  std::vector<Example> examples_of(const std::string& verb) const {
    std::vector<Example> examples;
    for (const CaseResult& result : run_.results) {
      for (const Exchange& exchange : result.history) {
        if (exchange.command.verb != verb || !exchange.reply.succeeded()) continue;
        examples.push_back({result.test->id, exchange});
      }
    }
    return shortest_and_ordinary(examples);
  }

 private:
  SubjectRun run_;
  std::map<std::string, std::set<std::string>> needs_;
};

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& some) {
  std::set<std::string> left;
  std::ranges::set_difference(all, some, std::inserter(left, left.end()));
  return left;
}

class Search {
 public:
  Search(ConnectedSubject& subject, const NextOptions& options)
      : subject_(subject), options_(options) {}

  NextStep run() {
    for (const std::string& area : order()) {
      look_at(area);
      if (!step_.lost.empty() || !step_.levels.back().is_done()) break;
    }
    return std::move(step_);
  }

 private:
  bool claims(const std::string& area) const {
    return std::ranges::find(hello_.areas, area) != hello_.areas.end();
  }

  std::vector<std::string> order() {
    introduce();
    if (!options_.level.empty()) return {options_.level};
    std::vector<std::string> areas = levels();
    for (const std::string& area : hello_.areas) {
      const bool has_cases = all_areas().contains(area);
      if (has_cases && std::ranges::find(areas, area) == areas.end()) areas.push_back(area);
    }
    std::ranges::stable_partition(areas, [&](const std::string& area) { return claims(area); });
    return areas;
  }

  void introduce() {
    RunSubjectOptions nothing = options_.run;
    nothing.selection.filters = {"none/of/the/cases"};
    const SubjectRun run = run_subject(subject_, nothing);
    hello_ = run.info;
    contract_ = run.contracts.front();
    step_.lost = run.tally.lost;
  }

  void look_at(const std::string& area) {
    if (!claims(area)) return look_at_unclaimed(area);
    const SubjectRun run = run_subject(subject_, options_for(area, options_.run));
    step_.lost = run.tally.lost;
    for (const CaseResult& result : run.results) answered_.merge(answered_in(result.history));
    step_.levels.push_back(level_of(area, run));
    if (const CaseResult* failure = shortest_failure(run)) step_.failure = *failure;
    if (step_.levels.back().open == 0) return;
    const Trusted trusted(area, options_.run, contract_);
    std::vector<OpenCase> open;
    for (const CaseResult& result : run.results) {
      if (is_open(result) && !result.spoils()) open.push_back(open_case(result, trusted));
    }
    suggest(open, trusted);
  }

  void look_at_unclaimed(const std::string& area) {
    const Trusted trusted(area, options_.run, contract_);
    std::vector<OpenCase> open;
    for (const auto& [id, needs] : trusted.needs()) open.push_back({id, without(needs, answered_)});
    step_.levels.push_back(
        {.area = area, .claimed = false, .cases = open.size(), .open = open.size()});
    suggest(open, trusted);
  }

  /// What stopped the case is missing for certain, even if it was answered with other arguments.
  OpenCase open_case(const CaseResult& result, const Trusted& trusted) const {
    OpenCase open{result.test->id, {}};
    if (const auto* needs = trusted.needs_of(open.id)) open.lacks = without(*needs, answered_);
    if (!result.lacks.empty()) open.lacks.insert(command_of(result.lacks));
    for (const std::string& field : result.not_shown) open.lacks.insert(command_of(field));
    return open;
  }

  void suggest(const std::vector<OpenCase>& open, const Trusted& trusted) {
    const std::vector<Suggestion> found = suggestions(open);
    if (found.empty()) return;
    step_.command = found.front();
    step_.examples = trusted.examples_of(found.front().command);
  }

  ConnectedSubject& subject_;
  const NextOptions& options_;
  Hello hello_;
  Contract contract_;
  std::set<std::string> answered_;
  NextStep step_;
};

}  // namespace

const std::vector<std::string>& levels() {
  static const std::vector<std::string> all{"core",   "dispatch", "autocast", "amp",  "optim",
                                            "scaler", "runtime",  "memory",   "graph"};
  return all;
}

NextStep next_step(ConnectedSubject& subject, const NextOptions& options) {
  return Search(subject, options).run();
}

}  // namespace assay
