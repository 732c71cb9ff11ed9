// Finds short programs that show the failures of a run, for its report.
#pragma once

#include <chrono>

#include "harness/run/run_subject.hpp"

namespace assay {

/// Sets `shortest` of one failure for each cause and of some unexplained ones: replays the commands
/// of the case on the subject and on the reference, and leaves out what the difference does not
/// need. A failure whose commands alone show no difference stays without. Results stay as they are.
void shorten_failures(ConnectedSubject& subject, SubjectRun& run,
                      std::chrono::duration<double> budget, const StopSignal* stop);

}  // namespace assay
