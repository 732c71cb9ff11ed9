// The key of a run: two runs with the same key can share a journal.
#pragma once

#include "harness/run/run_subject.hpp"

namespace assay {

/// This build: version, revision, and the linker's build id.
std::string build_in_words();

/// A part of the key: how many cases there are, and a hash of each with its contract and clauses,
/// whatever their order. Shards have the list of the undivided run.
inline constexpr const char* kListOfCases = "list of cases";
std::string cases_in_words(const std::vector<Task>& tasks);

/// The key of the options: selection, attempts, required areas.
RunKey key_of(const RunSubjectOptions& options, const SubjectOptions& subject);

/// `asked` with this build, the subject and its contracts, and the cases of all shards. The
/// programs of the subject, and the files of cases that are not compiled in, count by their
/// contents: neither a journal nor another shard may give the results of an earlier version.
RunKey whole_key(const ConnectedSubject& subject, const SubjectRun& run,
                 const std::vector<Task>& tasks, const RunKey& asked);

/// `whole` of this shard. Equal for two runs only if the subject's code is known to be equal.
RunKey journal_key(RunKey whole, const ConnectedSubject& subject, const Shard& shard);

}  // namespace assay
