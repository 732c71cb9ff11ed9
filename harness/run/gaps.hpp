// Commands that a subject did not answer: the unexcused ones, and the excused ones by reason.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// Unanswered commands without an excuse, with the number of cases they stopped; most frequent
/// first. A case that stopped before any command is listed by its own reason.
std::vector<std::pair<std::string, std::size_t>> unanswered_commands(
    const std::vector<CaseResult>& results);

/// Both lists as text; empty if everything was answered.
std::string gaps(const std::vector<CaseResult>& results);

}  // namespace assay
