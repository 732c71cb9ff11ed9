// The subjects and rows of a run before it begins.
#pragma once

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// What each row is a number of.
struct Kind {
  std::string quantity;  ///< empty: that of the case
  std::string unit;
  bool exact = false;
};

/// Every case of every contender, `not_run`; nothing is known of the subjects yet.
Measured planned(const Plan& plan, const Kind& kind);

/// Asks a worker who it is, and what it was built of where the contender is another program's.
void introduce(WorkerClient& client, const Contender& contender, report::BenchSubject& subject);

void fail(report::BenchMeasurement& cell, const std::string& reason);

/// Why a worker is gone; what it last said on standard error is often the reason.
std::string reason_of(const LinkBroken& broken);

/// At the end of a run: what is still `not_run` was measured, if any process got so far.
Measured settled(Measured measured);

/// Says so to `plan.on_kept`.
void tell_what_is_kept(const Plan& plan, const Measured& so_far);

}  // namespace assay::bench
