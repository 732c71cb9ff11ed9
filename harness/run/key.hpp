// The key of a run: two runs with the same key can share a journal.
#pragma once

#include "harness/run/run_subject.hpp"

namespace assay {

/// The key of the options: selection, shard, attempts, required areas.
RunKey key_of(const RunSubjectOptions& options, const SubjectOptions& subject);

/// `asked` with this build, the subject and its contracts, and the cases. The programs of the
/// subject, and the files of cases that are not compiled in, count by their contents: a journal
/// must not give the results of an earlier version.
RunKey whole_key(const ConnectedSubject& subject, const SubjectRun& run,
                 const std::vector<Task>& tasks, const RunKey& asked);

}  // namespace assay
