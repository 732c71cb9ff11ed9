// Runs one case in the foreground, for use with a debugger.
#pragma once

#include <string>

#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

struct DebugOptions {
  std::string case_id;
  std::string subject;
  Selection selection;  ///< selects the contract
  SubjectOptions connection;
};

/// Prints the process of the subject and waits for Enter; prints each command before it is sent and
/// each reply. If the case fails, keeps the subject running until Enter. Has no timeouts. Returns
/// the exit code. Throws UsageError for an unknown case.
int debug_case(const DebugOptions& options);

}  // namespace assay::cli
