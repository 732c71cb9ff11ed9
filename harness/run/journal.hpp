// Where the journal of a run is, and when it is removed.
#pragma once

#include <memory>
#include <string>

#include "harness/suite/journal/journal.hpp"

namespace assay {

struct JournalOptions {
  std::string path;    ///< --journal
  std::string resume;  ///< --resume
  /// Of --json; the journal lies beside it where neither of the others is given.
  std::string record;
};

/// Where nothing is given, it lies in the folder for states, `$XDG_STATE_HOME/assay` or
/// `~/.local/state/assay`, or else in that for temporary files. It is not made before the run
/// begins. Throws UsageError for a --resume that is not there, CannotWrite, and as Journal does.
std::unique_ptr<Journal> open_journal(const JournalOptions& options);

/// Lines that say which parts of it could not be used; empty where all could.
std::string damage_in(const Journal& journal);

/// After a run that ended with `exit_code`. Leaves a journal that the user has named; removes
/// another, if all cases are in the record or if it holds none. Where cases are missing it says how
/// to go on, and unless the run was ended by a signal or wrong usage, the next run may take the
/// file.
std::string close_journal(Journal& journal, const JournalOptions& options, int exit_code);

}  // namespace assay
