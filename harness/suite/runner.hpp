// Runs cases against a subject, one after the other, and survives whatever the subject does.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "harness/suite/outcome.hpp"
#include "harness/suite/selection.hpp"
#include "harness/suite/support.hpp"

namespace assay {

struct RunnerOptions {
  SupportPolicy support = SupportPolicy::foreign({});
  /// Keep the conversation of every case, not only of those that do not pass.
  bool keep_history = false;
  /// May change what has become of a case, before anyone hears of it: waivers do.
  std::function<void(CaseResult&)> judge;
  /// Called before and after each case.
  std::function<void(const Task&)> on_start;
  std::function<void(const CaseResult&)> on_result;
  /// Looked at between cases; the run ends early when it is set.
  const std::atomic<bool>* stop = nullptr;
};

/// One subject at the end of `link`. Between cases it is reset; it is started again when it broke,
/// and before a `fresh` case when it says that it could not clean everything.
class Runner {
 public:
  Runner(Link& link, RunnerOptions options) : link_(link), options_(std::move(options)) {}

  /// Never throws for what the subject does: that becomes the outcome.
  CaseResult run(const Task& task);

  /// All of them, until `stop`. What did not run to its end by then is not in the result.
  std::vector<CaseResult> run_all(const std::vector<Task>& tasks);

 private:
  SubjectInfo prepare(const Task& task);
  void converse(const SubjectInfo& info, CaseResult& result);
  void attempt(const Task& task, CaseResult& result);
  void note(CaseResult& result, Outcome outcome, Failure failure) const;
  void broke(CaseResult& result, const LinkBroken& broken);

  Link& link_;
  RunnerOptions options_;
  bool started_ = false;  ///< the subject has said hello since it was started
  bool used_ = false;     ///< a case has run since the last reset
  bool broken_ = false;   ///< it must be started again
  bool unclean_ = false;  ///< the last reset left something behind
  int refusals_ = 0;      ///< how often in a row it could not be made ready for a case
  SubjectInfo info_;
};

}  // namespace assay
