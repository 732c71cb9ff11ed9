// Runs cases against a subject, one after the other, and handles any behaviour of the subject.
#pragma once

#include <chrono>
#include <functional>

#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/outcome.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/waivers/support.hpp"

namespace assay {

/// Resets the subject and runs another body as if it were the case's.
using RunAgain = std::function<CaseResult(const std::function<void(Session&)>&)>;

struct RunnerOptions {
  /// The subject's hello under each of its contracts when the run began. Each later one, of this
  /// process or another, must be equal.
  std::vector<Hello> introduced;
  SupportPolicy support = SupportPolicy::foreign({});
  /// Keeps the conversation of every case, not only of those that do not pass.
  bool keep_history = false;
  /// The time limit of a case if the subject is a process; ten times longer for sweeps (`full`).
  /// A case of more than 100 commands has a hundredth of it more for each that was answered.
  std::chrono::milliseconds timeout{30'000};
  /// Called with each case that passed, whose history is kept until then; may change the result.
  std::function<void(CaseResult&, const SubjectInfo&, const RunAgain&)> afterwards;
  /// Called from time to time during a long case, with the number of its answered commands.
  std::function<void(std::size_t)> on_commands;
};

/// One subject at the end of `link`. It is reset after each case, and restarted after it breaks and
/// before a `fresh` case if a reset could not release everything.
class Runner {
 public:
  Runner(Link& link, RunnerOptions options) : link_(link), options_(std::move(options)) {}

  /// Converts the subject's behaviour to an outcome. Throws SubjectLost if it cannot be started,
  /// and SubjectChanged if it says another hello than it did when it was introduced.
  CaseResult run(const Task& task);

 private:
  const Hello& prepare(const Task& task);
  using Body = std::function<void(Session&)>;

  CaseResult run(const Task& task, const Body& body);
  void run_on_session(const Hello& info, const Body& body, CaseResult& result);
  void run_body(Session& session, const Body& body, CaseResult& result);
  void attempt(const Task& task, const Body& body, CaseResult& result);
  void reset_subject(CaseResult& result);
  std::chrono::milliseconds patience_for(const Case& test) const;
  static void note(CaseResult& result, Outcome outcome, Failure failure);
  void note_broken_link(CaseResult& result, const LinkBroken& broken, const std::string& when);

  Link& link_;
  RunnerOptions options_;
  bool started_ = false;      ///< the subject has said hello since its start
  bool used_ = false;         ///< a case has run since the last reset
  bool broken_ = false;       ///< it must be restarted
  bool unclean_ = false;      ///< the last reset was incomplete
  std::size_t answered_ = 0;  ///< commands of the current case
  Hello info_;
};

}  // namespace assay
