// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/cli/subjects.hpp"
#include "harness/suite/selection.hpp"

namespace assay::cli {

/// --cases, --filter, --exclude, --full, --release, --device-rules, --deviations, --contracts
void add_selection(CLI::App& command, Selection& selection);

/// --release, --device-rules, --deviations alone
void add_contract(CLI::App& command, Selection& selection);

/// --cases: registers them while the command line is parsed
void add_own_cases_option(CLI::App& command);

/// --timeout, --isolate, --python, --require
void add_subject_options(CLI::App& command, SubjectOptions& options);

}  // namespace assay::cli
