// Subjects and rows of a bench run, shared by timing and counting.
#pragma once

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

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
