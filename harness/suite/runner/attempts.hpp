// Repeated runs of a case, and their combined result.
#pragma once

#include "harness/suite/runner/runner.hpp"

namespace assay {

struct Attempts {
  /// Runs every case this many times.
  int repeat = 1;
  /// Repeats a case that did not pass up to this many times, until it passes.
  int rerun = 0;
};

/// The combined result: that of the first run that did not pass, else of the last. If some runs
/// passed and others did not, the outcome is `flaky`, regardless of their order.
CaseResult run_attempts(Runner& runner, const Task& task, const Attempts& attempts);

}  // namespace assay
