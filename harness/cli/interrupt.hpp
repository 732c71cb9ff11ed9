// Ctrl-C: the run ends after the case at hand, and reports what it has.
#pragma once

#include <atomic>

namespace assay::cli {

/// Catches SIGINT and SIGTERM from now on. A second one ends the program at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace assay::cli
