// The options of `assay run`.
#pragma once

#include "harness/cli/command_line/command_line.hpp"
#include "harness/run/options.hpp"

namespace assay::cli {

/// Options of `assay run`, which write to `options` while the command line is parsed.
void add_run_options(CliCommand command, RunOptions& options);

/// Throws UsageError where they ask for what is not there. Call once all cases are known.
void check(const RunOptions& options);

}  // namespace assay::cli
