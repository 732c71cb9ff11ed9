// assay replay --as python: a case as a script for PyTorch alone.
#pragma once

#include <string>

#include "harness/cli/subjects.hpp"
#include "harness/suite/selection.hpp"

namespace assay::cli {

/// Runs the case and prints the script; what the subject replied is what the script expects. Where
/// `selection` leaves it open, as PyTorch does it, on the CPU if the case can be had there. Throws
/// UsageError for a case that Python cannot say. Returns the exit code.
int print_as_python(const std::string& case_id, const std::string& subject,
                    const SubjectOptions& connection, Selection selection);

}  // namespace assay::cli
