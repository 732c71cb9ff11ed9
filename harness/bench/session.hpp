// Runs a bench: fresh worker processes, in rounds, contenders alternating.
#pragma once

#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/worker_client.hpp"

namespace assay::bench {

/// The raw results of a run, without computed figures.
struct Measured {
  std::vector<report::BenchSubject> subjects;
  /// Ordered by case, then by contender. Processes and status are set, `center` is not.
  std::vector<report::BenchMeasurement> measurements;
  std::vector<Floors> floors;  ///< one for each started process
  bool interrupted = false;
  std::optional<std::int64_t> enough = {};     ///< processes, if fewer than planned sufficed
  std::optional<report::BenchDone> done = {};  ///< set by `run` if it was interrupted
};

/// Each round starts and calibrates a fresh worker of every contender, then times each case in all
/// contenders, in the order given by `order_of`: sample by sample in turns, or one contender after
/// the other if a worker belongs to a build that cannot take turns. A case that a contender does
/// not support is not requested again. A case that reports an error, or whose worker dies, is
/// `failed` whatever earlier rounds measured; a new worker runs the remaining cases. `resumed`
/// holds the complete rounds of an earlier run of the same plan (harness/bench/resume.hpp); the
/// remaining rounds are appended.
Measured run(const Plan& plan, std::optional<Measured> resumed = std::nullopt);

}  // namespace assay::bench
