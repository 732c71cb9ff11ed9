// Runs the selected cases on one subject.
#include "harness/run/run_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <sstream>

#include "harness/console/usage_error.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/run/journal.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

std::vector<Contract> wanted_of(const ConnectedSubject& subject, const Selection& selection) {
  std::vector<Contract> wanted = wanted_contracts(selection);
  if (!subject.preferred) return wanted;
  const auto found = std::find(wanted.begin(), wanted.end(), *subject.preferred);
  if (found != wanted.end()) std::rotate(wanted.begin(), found, found + 1);
  return wanted;
}

std::vector<Contract> contracts_in_common(ConnectedSubject& subject, const Selection& selection) {
  const std::vector<Contract> wanted = wanted_of(subject, selection);
  std::vector<Contract> offered = offered_contracts(*subject.link, wanted);
  const std::string states = to_text(offered.front());
  std::erase_if(offered, [&](const Contract& contract) {
    return std::find(wanted.begin(), wanted.end(), contract) == wanted.end();
  });
  if (!offered.empty()) return offered;
  throw NoSupportedContract(
      fmt::format("the contract of the subject '{}' is {}, which --release, --device-rules and "
                  "--deviations exclude",
                  subject.name, states));
}

using CaseKey = std::pair<std::string, std::string>;

template <typename T>
CaseKey key_of_case(const T& task_or_result) {
  return {task_or_result.test->id, to_text(task_or_result.contract)};
}

/// The position of each task in the plan.
std::map<CaseKey, std::size_t> places_of(const std::vector<Task>& tasks) {
  std::map<CaseKey, std::size_t> places;
  for (const Task& task : tasks) places.emplace(key_of_case(task), places.size());
  return places;
}

/// Runs the cases that the journal does not contain yet.
PoolRun run_missing(ConnectedSubject& subject, std::vector<Task> tasks, RunSubjectOptions& options,
                    std::vector<CaseResult> done) {
  std::set<CaseKey> known;
  for (const CaseResult& result : done) known.insert(key_of_case(result));
  std::erase_if(tasks, [&](const Task& task) { return known.contains(key_of_case(task)); });
  if (options.journal != nullptr) {
    options.pool.keep = [&](const CaseResult& result) { options.journal->add(result); };
  }
  if (!options.lost.empty()) tasks.clear();
  Pool pool(std::move(tasks), options.pool);
  for (CaseResult& result : done) pool.add_known(std::move(result));
  PoolRun run = pool.run(*subject.link);
  if (run.lost.empty()) run.lost = options.lost;
  return run;
}

/// The subject's last output usually gives the reason, such as a missing file or module.
std::string not_started(const std::string& name, const SubjectNotStarted& failure) {
  std::string text = fmt::format("cannot start the subject '{}': {}", name, failure.what());
  std::istringstream words(failure.last_words());
  for (std::string line; std::getline(words, line);) text += "\n  | " + printable(line);
  return text;
}

bool is_in(const std::string& area, const std::vector<std::string>& areas) {
  return std::find(areas.begin(), areas.end(), area) != areas.end();
}

/// A subject may offer different areas under different contracts. An area that it offers under none
/// is tested only if the policy asks for it, and then under any.
HasArea areas_of(std::map<std::string, std::vector<std::string>> offered,
                 std::vector<std::string> all, const SupportPolicy& policy) {
  return [offered = std::move(offered), all = std::move(all), policy](const Contract& contract,
                                                                      const std::string& area) {
    return is_in(area, offered.at(to_text(contract))) ||
           (!is_in(area, all) && policy.asks_of(area));
  };
}

/// Throws SubjectChanged if the subject has said another hello before.
Hello checked_hello(ConnectedSubject& subject, const Contract& contract,
                    const std::vector<Hello>& before) {
  Hello hello = hello_with_retries(*subject.link, contract);
  check_identity(before, contract, hello);
  return hello;
}

HasArea hello_under_each_contract(ConnectedSubject& subject, const std::vector<Hello>& before,
                                  SubjectRun& run) {
  std::map<std::string, std::vector<std::string>> offered;
  for (const Contract& contract : run.contracts) {
    run.introduced.push_back(checked_hello(subject, contract, before));
    const std::vector<std::string>& areas = run.introduced.back().areas;
    offered[to_text(contract)] = areas;
    if (run.introduced.size() == 1) run.info = run.introduced.front();
    for (const std::string& area : areas) {
      if (!is_in(area, run.info.areas)) run.info.areas.push_back(area);
    }
  }
  return areas_of(std::move(offered), run.info.areas, subject.support);
}

/// The steps before the cases are known: who the subject is, and which contracts it supports.
HasArea introduce(ConnectedSubject& subject, const RunSubjectOptions& options, SubjectRun& run) {
  try {
    run.contracts = contracts_in_common(subject, options.selection);
    return hello_under_each_contract(subject, options.introduced, run);
  } catch (const BadReply& bad) {
    throw UsageError(fmt::format("the subject '{}': {}", subject.name, bad.what()));
  } catch (const SubjectNotStarted& failure) {
    throw UsageError(not_started(subject.name, failure));
  }
}

/// Why the run ended before its last case, if it did.
void note_end(PoolRun& ended, SubjectRun& run) {
  run.tally.lost = std::move(ended.lost);
  run.tally.changed = ended.changed;
  run.last_words = std::move(ended.last_words);
  run.remarks = std::move(ended.remarks);
  const bool is_whole = run.results.size() == run.tally.planned;
  run.tally.interrupted = !is_whole && run.tally.lost.empty() && !ended.failed_fast;
}

/// The areas of which the selection excludes some cases.
std::set<std::string> narrowed_areas(const RunSubjectOptions& options) {
  Selection whole = options.selection;
  whole.filters.clear();
  whole.excludes.clear();
  std::set<std::string> found;
  for (const Case& test : all_cases()) {
    const bool left_out = whole.selects(test) && !options.selection.selects(test);
    if (left_out) found.insert(area_of_case(test.id));
  }
  return found;
}

/// How this PyTorch relates to the contract by which it is judged; empty if it is of its release.
std::string about_release(const std::string& version, Release release) {
  const std::string name(name_of(release));
  if (version == name || version.starts_with(name + ".")) return "";
  if (release == kNewestRelease) {
    return fmt::format(
        "PyTorch {} is newer than the newest contract, {}: a failure can be a change of PyTorch",
        version, name);
  }
  return fmt::format("PyTorch {} is judged as {}, the newest contract that is not newer than it",
                     version, name);
}

void note_rules(const Plan& plan, const ConnectedSubject& subject, RunSubjectOptions& options,
                SubjectRun& run) {
  RunRules& rules = run.rules;
  if (options.journal != nullptr) rules.key = whole_key(subject, run, plan.tasks, options.key);
  rules.cases = plan.tasks.size();
  rules.is_whole = options.cases == nullptr && !options.selection.narrows_cases();
  rules.narrowed = narrowed_areas(options);
  rules.narrowed.insert(plan.narrowed.begin(), plan.narrowed.end());
  rules.waivers = std::move(options.waivers);
  if (subject.is_pytorch) {
    run.about_release = about_release(run.info.version, run.contracts.front().release);
  }
  rules.support = subject.support.listed();
}

void run_cases(ConnectedSubject& subject, RunSubjectOptions& options, const HasArea& has,
               SubjectRun& run) {
  Plan plan = plan_of(options.cases == nullptr ? all_cases() : *options.cases, options.selection,
                      run.contracts, has);
  note_rules(plan, subject, options, run);
  keep_shard(plan.tasks, options.shard);
  const std::map<CaseKey, std::size_t> places = places_of(plan.tasks);
  if (options.shuffle_seed) {
    shuffle(plan.tasks, *options.shuffle_seed);
  } else {
    // What a training meets is shown first, while the run goes on.
    std::ranges::stable_sort(plan.tasks, {}, [](const Task& task) { return reach_of(*task.test); });
  }
  WaiverPolicy waivers(run.rules.waivers, today_utc());
  waivers.set_subject(subject.name, run.info);
  run.tally.planned = plan.tasks.size();
  if (options.selection.training_only) {
    run.tally.profile = {"training", run.rules.cases, run.rules.cases + plan.beyond_profile};
  }
  run.tally.not_applicable = plan.not_applicable;
  run.tally.narrowed = options.shard.count > 1 ? all_areas() : run.rules.narrowed;
  run.tally.unclaimed = plan.unclaimed;
  run.tally.strict_end = options.strict_end;
  run.tally.strict_waivers = options.strict_waivers;
  run.tally.partial = options.partial;

  std::vector<CaseResult> done;
  if (options.journal != nullptr) {
    done = options.journal->begin(options.part, journal_key(run.rules.key, subject, options.shard),
                                  plan.tasks);
  }
  if (options.on_plan) options.on_plan(run, plan);
  options.pool.judge = [&](CaseResult& result) { waivers.judge(result); };
  PoolRun pool_run = run_missing(subject, std::move(plan.tasks), options, std::move(done));
  run.results = std::move(pool_run.results);
  std::sort(run.results.begin(), run.results.end(), [&](const auto& left, const auto& right) {
    return places.at(key_of_case(left)) < places.at(key_of_case(right));
  });
  note_end(pool_run, run);
  conclude(run, waivers);
}

}  // namespace

std::set<std::string> all_areas() {
  std::set<std::string> areas;
  for (const Case& test : all_cases()) areas.insert(area_of_case(test.id));
  return areas;
}

bool SubjectRun::covers_the_suites() const {
  return rules.is_whole && results.size() == rules.cases;
}

void conclude(SubjectRun& run, const WaiverPolicy& waivers) {
  for (const CaseResult& result : run.results) run.tally.add(result);
  run.waiver_findings = waivers.findings();
  run.tally.waiver_findings = run.waiver_findings.size();
  run.tally.covered = waivers.covered();
  run.tally.bad_ends = run.remarks.size();
  if (run.covers_the_suites()) {
    const SupportPolicy support = SupportPolicy::foreign({}, run.rules.support);
    run.support_findings = support.findings(run.results, run.info);
  }
  run.diagnosis = diagnose(run.results);
}

SubjectRun run_subject(ConnectedSubject& subject, RunSubjectOptions options) {
  SubjectRun run;
  run.subject = subject.name;
  options.pool.runner.support = subject.support;
  options.pool.runner.timeout = subject.timeout;
  options.pool.open = subject.open;
  end_early_on(*subject.link, options.pool.stop);
  const auto begin = std::chrono::steady_clock::now();
  try {
    const HasArea has = introduce(subject, options, run);
    options.pool.runner.introduced = run.introduced;
    run_cases(subject, options, has, run);
  } catch (const SubjectChanged& changed) {
    run.tally.lost = changed.what();
    run.tally.changed = true;
  } catch (const SubjectLost& lost) {
    run.tally.lost = lost.what();
    run.last_words = lost.last_words();
  } catch (const Interrupted&) {
    run.tally.interrupted = true;
  }
  run.tally.duration = std::chrono::steady_clock::now() - begin;
  return run;
}

}  // namespace assay
