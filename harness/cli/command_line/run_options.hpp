// The options of `assay run`.
#pragma once

#include "harness/cli/command_line/command_line.hpp"
#include "harness/run/parts.hpp"

namespace assay::cli {

/// Adds the options of `assay run`, which write to `options` during parsing.
void add_run_options(CliCommand command, RunOptions& options);

/// Adds the options for the files of a record; `names` are those of the option for JSON.
void add_record_files(CliCommand command, const std::string& names, RecordFiles& files);

/// Throws UsageError if a file cannot be written, or two are the same.
void check(const RecordFiles& files);

/// Throws UsageError for inconsistent options and unknown names. Requires all cases.
void check(const RunOptions& options);

}  // namespace assay::cli
