// From what a run found to what is written about it.
#pragma once

#include "harness/report/record.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// `line` is the verdict as it was printed.
report::SubjectRecord record_of(const SubjectRun& run, const ClauseCount& clauses,
                                const std::string& line);

}  // namespace assay
