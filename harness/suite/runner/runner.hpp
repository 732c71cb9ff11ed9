// Runs cases against a subject, one after the other, and survives whatever the subject does.
#pragma once

#include <chrono>

#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/outcome.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/waivers/support.hpp"

namespace assay {

struct RunnerOptions {
  SupportPolicy support = SupportPolicy::foreign({});
  /// Keep the conversation of every case, not only of those that do not pass.
  bool keep_history = false;
  /// For a whole case, where the subject is a process. Long sweeps (`full`) have ten times that.
  std::chrono::milliseconds timeout{30'000};
};

/// One subject at the end of `link`. After each case it is reset; it is started again when it
/// broke, and before a `fresh` case when it says that it could not clean everything.
class Runner {
 public:
  Runner(Link& link, RunnerOptions options) : link_(link), options_(std::move(options)) {}

  /// What the subject does becomes the outcome. Throws SubjectLost when it cannot be started.
  CaseResult run(const Task& task);

 private:
  const Hello& prepare(const Task& task);
  void run_on_session(const Hello& info, CaseResult& result);
  void run_body(Session& session, CaseResult& result);
  void attempt(const Task& task, CaseResult& result);
  void reset_subject(CaseResult& result);
  static void note(CaseResult& result, Outcome outcome, Failure failure);
  void note_broken_link(CaseResult& result, const LinkBroken& broken, const std::string& when);

  Link& link_;
  RunnerOptions options_;
  bool started_ = false;  ///< the subject has said hello since it was started
  bool used_ = false;     ///< a case has run since the last reset
  bool broken_ = false;   ///< it must be started again
  bool unclean_ = false;  ///< the last reset left something behind
  Hello info_;
};

}  // namespace assay
