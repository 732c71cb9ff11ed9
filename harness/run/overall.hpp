// The verdict of a whole run, from its parts, and the commands that it left unanswered.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/runner/outcome.hpp"

namespace assay {

// Commands that a subject did not answer: the unexcused ones, and the excused ones by reason.

/// Unanswered commands without an excuse, with the number of cases they stopped; most frequent
/// first. A case that stopped before any command is listed by its own reason.
std::vector<std::pair<std::string, std::size_t>> unanswered_commands(
    const std::vector<CaseResult>& results);

/// Both lists as text; empty if everything was answered.
std::string gaps(const std::vector<CaseResult>& results);

// The verdict.

/// Sets verdict, exit code and line of the run by its `parts` and `subjects`. `is_whole` is false
/// if it was interrupted before its last part.
void judge_parts(report::RunRecord& run, bool is_whole);

}  // namespace assay
