// The smallest program, with the fewest failures, that shows a finding.
#pragma once

#include <functional>
#include <vector>

#include "harness/perturb/attempts.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {

/// Sends a program of which the chosen attempts fail, and adds them to the list; throws
/// CheckFailed.
using SendWithFailures = std::function<void(Session&, const std::vector<Exchange>&, const Choice&,
                                            std::vector<Failed>&)>;

/// `found` is what the program shows if all its attempts fail. Looks for the one command, and the
/// one attempt at it, that has to fail, and leaves out the commands that do not matter. The result
/// has the history of the smallest program.
CaseResult smallest(CaseResult found, const std::vector<Exchange>& program,
                    const SendWithFailures& send, const RunAgain& run);

}  // namespace assay
