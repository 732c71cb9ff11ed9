// Runs cases on several subjects of one kind in parallel, each case as often as asked.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/subject/process/stop_signal.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {

// Repeated runs of a case, and their combined result.

struct Attempts {
  /// Runs every case this many times.
  int repeat = 1;
  /// Repeats a case that did not pass up to this many times, until it passes.
  int rerun = 0;
};

/// The combined result: that of the first run that did not pass, else of the last. If some runs
/// passed and others did not, the outcome is `flaky`, regardless of their order.
CaseResult run_attempts(Runner& runner, const Task& task, const Attempts& attempts);

// The pool.

struct PoolOptions {
  RunnerOptions runner;
  Attempts attempts;
  /// The number of subjects; more than one require `open`.
  int jobs = 1;
  /// Starts no further case after one that fails the run.
  bool fail_fast = false;
  /// A subject that takes longer to end is killed, with a remark; without it, after a second and
  /// silently.
  std::optional<std::chrono::milliseconds> end_patience;
  /// Connects another subject; called from several threads.
  std::function<std::unique_ptr<Link>()> open;
  /// Called before and after each case, one call at a time. The subject's next case begins after
  /// all have returned; exceptions end the run. `keep` receives the original result, `judge` may
  /// change it (as waivers do), `on_result` receives the final one.
  std::function<void(const Task&)> on_start;
  std::function<void(const CaseResult&)> keep;
  std::function<void(CaseResult&)> judge;
  std::function<void(const CaseResult&)> on_result;
  /// When set, no further case begins, and a case whose subject is another process is abandoned
  /// without a result.
  const StopSignal* stop = nullptr;
};

/// The results of the tasks, in order of completion.
struct PoolRun {
  std::vector<CaseResult> results;
  /// Why the subject was given up; empty if it was not.
  std::string lost;
  /// It was, because its hello has changed.
  bool changed = false;
  std::string last_words;
  /// Events at a subject's end, after the last case.
  std::vector<std::string> remarks;
  /// Some cases were not started because of `fail_fast`.
  bool failed_fast = false;
};

class Pool {
 public:
  Pool(std::vector<Task> tasks, PoolOptions options)
      : tasks_(std::move(tasks)), options_(std::move(options)) {}

  /// Adds a case that finished in an earlier run of the same pool. Call before `run`.
  void add_known(CaseResult result) { judge_and_store(std::move(result)); }

  /// May be called once. The first subject is at the end of `first`, and runs in this thread.
  PoolRun run(Link& first);

 private:
  const Task* next();
  void work(Link& link);
  void work_guarded(const std::function<void()>& body);
  void take(CaseResult result);
  void judge_and_store(CaseResult result);
  void note(const std::string& remark);
  void give_up(const std::string& why, const std::string& last_words);

  std::vector<Task> tasks_;
  PoolOptions options_;
  std::mutex mutex_;  ///< guards all members below
  std::size_t begun_ = 0;
  bool ended_ = false;
  PoolRun run_;
  std::exception_ptr error_;
};

}  // namespace assay
