// Runs cases on a mutant.
#include "harness/selftest/kill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "harness/diagnosis/symptom.hpp"
#include "harness/perturb/perturb.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/runner/pool.hpp"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kLong{100};

bool shares_clause(const Case& test, const Fault& fault) {
  return std::any_of(test.clauses.begin(), test.clauses.end(), [&](const std::string& clause) {
    return std::find(fault.clauses.begin(), fault.clauses.end(), clause) != fault.clauses.end();
  });
}

/// The contract under which the fault shows comes first.
std::vector<Task> tasks_for(const Fault& fault, const KillOptions& options) {
  const Selection& selection = options.selection;
  if (options.reach != nullptr && fault.function) return options.reach->tasks_of(*fault.function);
  std::vector<Contract> contracts = wanted_contracts(selection);
  if (fault.contract) {
    const auto found = std::find(contracts.begin(), contracts.end(), *fault.contract);
    if (found != contracts.end()) std::rotate(contracts.begin(), found, found + 1);
  }
  return plan_of(all_cases(), selection, contracts).tasks;
}

/// Moves the cases of the fault's clauses to the front, short ones first. Returns their end.
std::vector<Task>::iterator bring_home(std::vector<Task>& tasks, const Fault& fault,
                                       const Baseline& baseline) {
  const auto others = std::stable_partition(tasks.begin(), tasks.end(), [&](const Task& task) {
    return shares_clause(*task.test, fault);
  });
  std::stable_partition(tasks.begin(), others,
                        [&](const Task& task) { return !baseline.takes_long(*task.test); });
  return others;
}

void take_away(std::vector<std::string>& clauses, const std::vector<std::string>& shown) {
  std::erase_if(clauses, [&](const std::string& clause) {
    return std::find(shown.begin(), shown.end(), clause) != shown.end();
  });
}

RunnerOptions runner_options(const ConnectedSubject& subject, const KillOptions& kill,
                             int patience = 1) {
  RunnerOptions options;
  if (kill.perturbed) options.afterwards = perturb;
  options.support = subject.support;
  options.timeout = subject.timeout * patience;
  return options;
}

/// A busy machine takes a few times as long as an idle one.
constexpr int kBusy = 20;

/// Runs a case on the mutant: one that only ran out of time may have been a long one on a busy
/// machine, and is run again with the time for that.
CaseResult run_on_mutant(const Task& task, ConnectedSubject& mutant, Runner& runner,
                         Baseline& baseline, const KillOptions& kill) {
  CaseResult result = runner.run(task);
  baseline.note(result);
  if (result.outcome != Outcome::kTimeout || !baseline.passes(task)) return result;
  const std::chrono::milliseconds patience = baseline.patience_for(task);
  if (patience <= mutant.timeout) return result;
  RunnerOptions options = runner_options(mutant, kill);
  options.timeout = patience;
  return Runner(*mutant.link, options).run(task);
}

}  // namespace

Baseline::Baseline(const KillOptions& options)
    : options_(options),
      sound_(connect_without_fault(options.mutants_of, options.subject)),
      runner_(*sound_.link, runner_options(sound_, options, kBusy)) {}

void Baseline::run_all(int jobs, const std::function<void(std::size_t)>& on_count) {
  ConnectedSubject first = connect_without_fault(options_.mutants_of, options_.subject);
  std::size_t done = 0;
  PoolOptions pool;
  pool.runner = runner_options(first, options_, kBusy);
  pool.jobs = jobs;
  pool.open = first.open;
  pool.stop = options_.stop;
  pool.on_result = [&](const CaseResult& result) {
    on_count(++done);
    note(result);
    const std::scoped_lock lock(mutex_);
    keep(result);
  };
  const std::vector<Contract> contracts = wanted_contracts(options_.selection);
  const PoolRun run =
      Pool(plan_of(all_cases(), options_.selection, contracts).tasks, std::move(pool))
          .run(*first.link);
  if (!run.lost.empty()) {
    throw std::runtime_error(
        fmt::format("the mutants' program was given up while no fault was enabled: {}\n{}",
                    run.lost, run.last_words));
  }
}

const Baseline::Sound& Baseline::on_sound(const Task& task) {
  const auto key = std::pair(task.test->id, to_text(task.contract));
  if (!known_.contains(key)) keep(runner_.run(task));
  return known_.at(key);
}

bool Baseline::passes(const Task& task) {
  const std::scoped_lock lock(mutex_);
  return on_sound(task).passes;
}

std::chrono::milliseconds Baseline::patience_for(const Task& task) {
  const std::scoped_lock lock(mutex_);
  return on_sound(task).took * kBusy;
}

void Baseline::keep(const CaseResult& result) {
  const std::string contract = to_text(result.contract);
  if (result.spoils()) {
    throw std::runtime_error(fmt::format(
        "{} fails under {} on the mutants' program while no fault is enabled, so that no failure "
        "of a mutant would count: {}",
        result.test->id, contract, result.failure ? result.failure->sentence : "unanswered"));
  }
  known_.insert_or_assign(
      std::pair(result.test->id, contract),
      Sound{result.outcome == Outcome::kPass,
            std::chrono::duration_cast<std::chrono::milliseconds>(result.duration)});
}

void Baseline::note(const CaseResult& result) {
  const std::scoped_lock lock(mutex_);
  if (result.duration > kLong) long_.insert(result.test->id);
}

bool Baseline::takes_long(const Case& test) const {
  const std::scoped_lock lock(mutex_);
  return long_.contains(test.id);
}

report::FaultRow kill(const Fault& fault, const KillOptions& given, Baseline& baseline) {
  const auto begin = std::chrono::steady_clock::now();
  KillOptions options = given;
  options.perturbed = given.perturbed || fault.perturbed;
  std::vector<Task> tasks = tasks_for(fault, options);
  const auto others = bring_home(tasks, fault, baseline);
  std::vector<std::string> unproven = fault.clauses;

  ConnectedSubject mutant = connect_mutant(fault, options.subject);
  end_early_on(*mutant.link, options.stop);
  Runner runner(*mutant.link, runner_options(mutant, options));
  report::FaultRow row;
  row.fault = fault.name;
  row.clauses = fault.clauses;
  try {
    for (auto task = tasks.begin(); task != tasks.end(); ++task) {
      const bool enough = !row.killed_by.empty() && (unproven.empty() || task >= others);
      if (enough && !options.whole) break;
      if (options.stop != nullptr && options.stop->is_set()) break;
      const CaseResult result = run_on_mutant(*task, mutant, runner, baseline, options);
      ++row.ran;
      if (!result.spoils() || !baseline.passes(*task)) continue;
      if (fault.perturbed && result.changes.empty()) continue;
      row.killed_by.push_back(task->test->id);
      row.symptoms.push_back(symptom_of(result));
      take_away(unproven, task->test->clauses);
    }
  } catch (const SubjectLost& lost) {
    row.lost = lost.what();
  } catch (const Interrupted&) {
    // Reports the row so far.
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

}  // namespace assay
