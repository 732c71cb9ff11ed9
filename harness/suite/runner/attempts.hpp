// Running a case more than once: what is repeated, and what the runs amount to.
#pragma once

#include "harness/suite/runner/runner.hpp"

namespace assay {

struct Attempts {
  /// Every case so many times.
  int repeat = 1;
  /// A case that did not pass up to so many times more, until it passes.
  int rerun = 0;
};

/// One result of all runs: that of the first that did not pass, else of the last. If some passed
/// and others did not, the outcome is `flaky`, whatever the order.
CaseResult run_attempts(Runner& runner, const Task& task, const Attempts& attempts);

}  // namespace assay
