// Records of runs that the user names.
#pragma once

#include <string>

#include "harness/report/record.hpp"

namespace assay::cli {

/// Throws UsageError, with the file and what is wrong with it, when it is not a record of a run.
report::RunRecord read_run(const std::string& path);

}  // namespace assay::cli
