// Support files: what third-party subjects may leave unanswered.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/waivers/support.hpp"

namespace assay {

/// Throws UsageError, with the position, if a file is not a support file.
std::vector<SupportEntry> read_support(const std::vector<std::string>& paths);

}  // namespace assay
