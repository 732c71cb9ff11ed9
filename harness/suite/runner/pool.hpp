// Runs cases on several subjects of one kind at the same time.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/subject/process/stop_signal.hpp"
#include "harness/suite/runner/attempts.hpp"

namespace assay {

struct PoolOptions {
  RunnerOptions runner;
  Attempts attempts;
  /// So many subjects at a time; more than one need `open`.
  int jobs = 1;
  /// No case begins after one that spoils the verdict.
  bool fail_fast = false;
  /// Connects one subject more; called from several threads.
  std::function<std::unique_ptr<Link>()> open;
  /// Called before and after each case, one call at a time. The next case of that subject begins
  /// when all have returned; what they throw ends the run. `keep` is given the case as it was,
  /// `judge` may change what has become of it (waivers do), `on_result` is told.
  std::function<void(const Task&)> on_start;
  std::function<void(const CaseResult&)> keep;
  std::function<void(CaseResult&)> judge;
  std::function<void(const CaseResult&)> on_result;
  /// When it is set, no case begins, and one whose subject is another process is given up: it
  /// leaves no result.
  const StopSignal* stop = nullptr;
};

/// What came of the tasks, in the order in which they ended.
struct PoolRun {
  std::vector<CaseResult> results;
  /// Why the subject was given up; empty where it was not.
  std::string lost;
  std::string last_words;
  /// What a subject did at its end, behind the last case.
  std::vector<std::string> remarks;
  /// Begun no further because of `fail_fast`.
  bool failed_fast = false;
};

class Pool {
 public:
  Pool(std::vector<Task> tasks, PoolOptions options)
      : tasks_(std::move(tasks)), options_(std::move(options)) {}

  /// A case that has ended in an earlier run of the same pool. Before `run`.
  void add_known(CaseResult result) { settle(std::move(result)); }

  /// Once. The first subject is at the end of `first`, and serves in this thread.
  PoolRun run(Link& first);

 private:
  const Task* next();
  void work(Link& link);
  void work_guarded(const std::function<void()>& body);
  void take(CaseResult result);
  void settle(CaseResult result);
  void note(const std::string& remark);
  void give_up(const std::string& why, const std::string& last_words);

  std::vector<Task> tasks_;
  PoolOptions options_;
  std::mutex mutex_;  ///< of all below
  std::size_t begun_ = 0;
  bool ended_ = false;
  PoolRun run_;
  std::exception_ptr error_;
};

}  // namespace assay
