// assay replay --as python: writes a case as a script that needs only PyTorch.
#pragma once

#include <string>

#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// The source of the expected replies.
enum class Expect {
  kRecording,  ///< a recording's, or the subject's if no recording has the case
  kSubject
};

struct AsPython {
  std::string case_id;
  std::string subject;
  SubjectOptions connection;
  Selection selection;
  Expect expect = Expect::kRecording;
};

/// Prints the script, which names the source of its expected replies. Runs the subject only if that
/// is the source. By default uses PyTorch's behaviour, on the CPU if the case supports it. Throws
/// UsageError for a case that cannot be written in Python. Returns the exit code.
int print_as_python(AsPython wanted);

}  // namespace assay::cli
