// Subjects, rows and progress of a bench run, shared by timing and counting.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

// The progress, with an estimate of the remaining time.

/// Counts only cases that are timed: skipped cases take no time.
class Progress {
 public:
  Progress(std::function<void(const Step&)> on_step, std::size_t cells, int rounds)
      : on_step_(std::move(on_step)), planned_(cells * static_cast<std::size_t>(rounds)) {}

  void begin(const std::string& name, const std::string& subject, int round);
  void skip() { planned_ -= planned_ > done_ ? 1 : 0; }

 private:
  using Clock = std::chrono::steady_clock;

  std::function<void(const Step&)> on_step_;
  std::size_t planned_;
  std::size_t done_ = 0;
  Clock::time_point began_ = Clock::now();
};

// Subjects and rows.

/// The quantity that each row measures.
struct Kind {
  std::string quantity;  ///< empty: the quantity of the case
  std::string unit;
  bool exact = false;
};

/// One `not_run` row for every case of every contender; subjects are not described yet.
Measured planned(const Plan& plan, const Kind& kind);

/// Asks a worker for its identity and, if another program runs it, for its build.
void introduce(WorkerClient& client, const Contender& contender, report::BenchSubject& subject);

/// The reason may come from a subject: the row keeps its beginning.
void leave_out(report::BenchMeasurement& cell, report::BenchStatus status,
               const std::string& reason);
void fail(report::BenchMeasurement& cell, const std::string& reason);

/// Why a worker was lost, with its last line on standard error, which often states the reason.
std::string reason_of(const LinkBroken& broken);

/// Ends a run: sets rows that are still `not_run` to measured if any process has measured them.
Measured settled(Measured measured);

/// Calls `plan.on_kept` with the results so far.
void report_results_so_far(const Plan& plan, const Measured& so_far);

}  // namespace assay::bench
