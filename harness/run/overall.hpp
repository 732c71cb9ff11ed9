// The verdict of a whole run, from its parts.
#pragma once

#include "harness/report/record.hpp"

namespace assay {

/// Sets verdict, exit code and line of the run by its `parts` and `subjects`. `is_whole` is false
/// if it was interrupted before its last part.
void judge_parts(report::RunRecord& run, bool is_whole);

}  // namespace assay
