// Reads records of runs that the user names.
#pragma once

#include <string>

#include "harness/report/record.hpp"

namespace assay::cli {

/// Throws UsageError, with the file and the reason, if it is not the record of a run.
report::RunRecord read_run(const std::string& path);

}  // namespace assay::cli
