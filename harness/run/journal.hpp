// The journal of a run: the key that two runs must have in common to share one, where it is, and
// its removal.
#pragma once

#include <memory>
#include <string>

#include "harness/run/run_subject.hpp"
#include "harness/suite/journal/journal.hpp"

namespace assay {

// The key.

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

// The file.

struct JournalOptions {
  std::string path;    ///< --journal
  std::string resume;  ///< --resume: a file, or `auto`
  /// The file of --json; by default, the journal is written next to it.
  std::string record;

  /// The run continues its own journal, if there is one to continue.
  bool is_auto() const { return resume == "auto"; }
};

/// Without any of these, the journal is in the state directory, `$XDG_STATE_HOME/assay` or
/// `~/.local/state/assay`, or in the directory for temporary files. It is created when the run
/// begins. With `auto`, what is there is continued, or renamed if it is another run's. Throws
/// UsageError if the file of --resume is missing or none is named for `auto`, CannotWrite, and as
/// Journal does.
std::unique_ptr<Journal> open_journal(const JournalOptions& options);

/// Says that `auto` has found something to continue; empty otherwise.
std::string continued_in_words(const Journal& journal, const JournalOptions& options);

/// Describes the damaged lines of the journal; empty if there are none.
std::string damage_in(const Journal& journal);

/// Called after a run that ended with `exit_code`. Keeps a journal named by the user; removes any
/// other if all cases are in the record or if it is empty. If cases are missing, the result tells
/// how to continue; unless the run was ended by a signal or wrong usage, the next run may overwrite
/// the file.
std::string close_journal(Journal& journal, const JournalOptions& options, int exit_code);

}  // namespace assay
