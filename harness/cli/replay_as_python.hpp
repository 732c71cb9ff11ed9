// assay replay --as python: a case as a script for PyTorch alone.
#pragma once

#include <string>

#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// Whose replies the script expects.
enum class Expect {
  kRecording,  ///< a recording's, and the subject's where no recording has the case
  kSubject
};

struct AsPython {
  std::string case_id;
  std::string subject;
  SubjectOptions connection;
  Selection selection;
  Expect expect = Expect::kRecording;
};

/// Prints the script, and in it whose word it expects. The subject runs only where it is asked.
/// Where the selection leaves it open, as PyTorch does it, on the CPU if the case can be had there.
/// Throws UsageError for a case that Python cannot say. Returns the exit code.
int print_as_python(AsPython wanted);

}  // namespace assay::cli
