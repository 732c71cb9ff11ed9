// Which cases send a command: the reference is asked every one of them, which takes some seconds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/suite/runner/selection.hpp"

namespace assay {

/// The selected cases that send a command which the glob `command` matches, with how many of them a
/// case sends; of several contracts, the most. Throws UsageError when no command matches.
std::map<std::string, std::int64_t> callers_of(const std::string& command,
                                               const Selection& selection);

}  // namespace assay
