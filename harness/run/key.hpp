// What two runs must share so that one may go on where the other stopped.
#pragma once

#include "harness/run/run_subject.hpp"

namespace assay {

/// What was asked for: selection, shard, attempts, required areas.
RunKey key_of(const RunSubjectOptions& options, const SubjectOptions& subject);

/// `asked`, and who answers: this build, the subject and its contracts, and the cases.
RunKey whole_key(const SubjectRun& run, const std::vector<Task>& tasks, const RunKey& asked);

}  // namespace assay
