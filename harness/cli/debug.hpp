// One case in the foreground, for someone with a debugger.
#pragma once

#include <string>

#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

struct DebugOptions {
  std::string case_id;
  std::string subject;
  Selection selection;  ///< of the contract
  SubjectOptions connection;
};

/// Says which process the subject is and waits for Enter; shows each command before it is sent and
/// each reply; stops where the case fails, with the subject still there, until Enter. Never times
/// out. Returns the exit code. Throws UsageError when there is no such case.
int debug_case(const DebugOptions& options);

}  // namespace assay::cli
