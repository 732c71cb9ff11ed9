// Commands that a subject left unanswered: those without an excuse, and the others by reason.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// Commands at which cases stopped that nobody excuses, with how many did; the most first. Cases
/// that asked for nothing stand under their own words.
std::vector<std::pair<std::string, std::size_t>> unanswered_commands(
    const std::vector<CaseResult>& results);

/// Both lists, for people; empty where everything was answered.
std::string gaps(const std::vector<CaseResult>& results);

}  // namespace assay
