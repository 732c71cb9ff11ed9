// From what a run found to what is written about it.
#pragma once

#include "harness/cli/conduct.hpp"
#include "harness/report/record.hpp"

namespace assay::cli {

/// `line` is the verdict as it was printed.
report::SubjectRecord record_of(const SubjectRun& run, const ClauseCount& clauses,
                                const std::string& line);

}  // namespace assay::cli
