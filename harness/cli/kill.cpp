// Running cases against a mutant.
#include "harness/cli/kill.hpp"

#include <algorithm>
#include <iterator>

#include "harness/subject/time_limit.hpp"

namespace assay::cli {
namespace {

bool shares_clause(const Case& test, const Fault& fault) {
  return std::any_of(test.clauses.begin(), test.clauses.end(), [&](const std::string& clause) {
    return std::find(fault.clauses.begin(), fault.clauses.end(), clause) != fault.clauses.end();
  });
}

/// The contract under which the fault shows comes first.
std::vector<Task> tasks_for(const Fault& fault, const Selection& selection) {
  std::vector<Contract> contracts = wanted_contracts(selection);
  if (fault.contract) {
    const auto found = std::find(contracts.begin(), contracts.end(), *fault.contract);
    if (found != contracts.end()) std::rotate(contracts.begin(), found, found + 1);
  }
  return plan_of(all_cases(), selection, contracts).tasks;
}

RunnerOptions runner_options(const ConnectedSubject& subject) {
  RunnerOptions options;
  options.support = subject.support;
  options.timeout = subject.timeout;
  return options;
}

}  // namespace

Baseline::Baseline(const KillOptions& options)
    : sound_(connect(options.mutants_of, {})), runner_(*sound_.link, runner_options(sound_)) {}

bool Baseline::passes(const Task& task) {
  const std::scoped_lock lock(mutex_);
  const auto key = std::pair(task.test->id, to_text(task.contract));
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = runner_.run(task).outcome == Outcome::kPass;
}

report::FaultRow kill(const Fault& fault, const KillOptions& options, Baseline& baseline) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Task> tasks = tasks_for(fault, options.selection);
  const auto others = std::stable_partition(tasks.begin(), tasks.end(), [&](const Task& task) {
    return shares_clause(*task.test, fault);
  });

  ConnectedSubject mutant = connect_mutant(fault, options.subject);
  end_early_on(*mutant.link, options.stop);
  Runner runner(*mutant.link, runner_options(mutant));
  report::FaultRow row;
  row.fault = fault.name;
  row.clauses = fault.clauses;
  try {
    for (auto task = tasks.begin(); task != tasks.end(); ++task) {
      if (task >= others && !options.whole && !row.killed_by.empty()) break;
      if (options.stop != nullptr && options.stop->is_set()) break;
      if (!baseline.passes(*task)) continue;
      if (runner.run(*task).spoils()) row.killed_by.push_back(task->test->id);
      ++row.ran;
    }
  } catch (const SubjectLost& lost) {
    row.lost = lost.what();
  } catch (const Interrupted&) {
    // What the row has is told.
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

}  // namespace assay::cli
