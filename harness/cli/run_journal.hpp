// Where the journal of a run lies, and what becomes of it.
#pragma once

#include <memory>
#include <string>

#include "harness/suite/journal.hpp"

namespace assay::cli {

struct JournalOptions {
  std::string path;    ///< --journal
  std::string resume;  ///< --resume
  /// Of --json; the journal lies beside it where neither of the others is given.
  std::string record;
};

/// Where none of them is given, it lies in the folder for temporary files. Throws as Journal does.
std::unique_ptr<Journal> open_journal(const JournalOptions& options);

/// Lines that say which parts of it could not be used; empty where all could.
std::string damage_in(const Journal& journal);

/// Removes a journal that nobody has named, if `complete`: all that it holds is in the record. Says
/// how to go on otherwise.
std::string close_journal(Journal& journal, const JournalOptions& options, bool complete);

}  // namespace assay::cli
