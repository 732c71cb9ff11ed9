// Support files: what foreign subjects may leave unanswered.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/waivers/support.hpp"

namespace assay {

/// Throws UsageError with the place where one is not such a file.
std::vector<SupportEntry> read_support(const std::vector<std::string>& paths);

}  // namespace assay
