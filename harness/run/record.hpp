// Converts the results of a run to a record.
#pragma once

#include "harness/report/record.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// `line` is the verdict line as printed.
report::SubjectRecord record_of(const SubjectRun& run, const ClauseCount& clauses,
                                const std::string& line);

}  // namespace assay
