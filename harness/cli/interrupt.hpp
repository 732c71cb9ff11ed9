// Ctrl-C: the run ends without waiting for the case at hand, and reports what it has.
#pragma once

#include "harness/subject/stop_signal.hpp"

namespace assay::cli {

/// Catches SIGINT and SIGTERM from now on. A second one ends the program at once.
const StopSignal& catch_interrupts();

}  // namespace assay::cli
