// A run of the bench: fresh worker processes, round by round, in turns.
#pragma once

#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/worker_client.hpp"

namespace assay::bench {

/// What came of a plan, before anything is computed of it.
struct Measured {
  std::vector<report::BenchSubject> subjects;
  /// By case, and within it by contender: processes and status, no center.
  std::vector<report::BenchMeasurement> measurements;
  std::vector<Floors> floors;  ///< of each process that was started
  bool interrupted = false;
  std::optional<std::int64_t> enough = {};     ///< processes, where fewer than planned were
  std::optional<report::BenchDone> done = {};  ///< of `run`, where it did not come to its end
};

/// In each round a fresh worker of every contender is started, and calibrated; then each case is
/// timed in one contender after the other, in the order of `order_of`. A case that a contender does
/// not have is not asked for again. One that errs, or whose worker dies, is `failed`, whatever
/// earlier rounds gave; a dead worker is replaced for the cases that follow. `resumed` has the
/// complete rounds of an earlier run of the same plan (harness/bench/resume.hpp), which the others
/// follow.
Measured run(const Plan& plan, std::optional<Measured> resumed = std::nullopt);

}  // namespace assay::bench
