// Options that several commands share.
#pragma once

#include "harness/cli/command_line/command_line.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// --cases, --filter, --exclude, --profile, --full, --release, --device-rules, --deviations,
/// --contracts
void add_selection(CliCommand command, Selection& selection);

/// --profile
void add_profile(CliCommand command, Selection& selection);

/// --release, --device-rules, --deviations
void add_contract(CliCommand command, Selection& selection);

/// --cases: registers the cases during parsing
void add_own_cases_option(CliCommand command);

/// --timeout, --isolate, --python, --require
void add_subject_options(CliCommand command, SubjectOptions& options);

/// --jobs
void add_jobs(CliCommand command, int& jobs);

/// --color, for every command below `app`
void add_colour_option(CliCommand app);

}  // namespace assay::cli
