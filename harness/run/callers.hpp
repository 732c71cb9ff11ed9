// Finds the cases that send a command, by running all of them on the reference (a few seconds).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/suite/runner/selection.hpp"

namespace assay {

/// The selected cases that send a command matching the glob `command`, with how often they do; the
/// maximum over contracts. Throws UsageError if no command matches.
std::map<std::string, std::int64_t> callers_of(const std::string& command,
                                               const Selection& selection);

}  // namespace assay
