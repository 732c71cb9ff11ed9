// The faults selected by patterns.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/faults.hpp"

namespace assay {

/// The subject's faults whose name or clause matches one of `patterns`; all if there are none.
/// Throws UsageError for a pattern that matches none while another does, because part of the
/// request would be ignored silently.
std::vector<const Fault*> chosen_faults(const std::vector<std::string>& patterns,
                                        const std::string& subject = "reference");

}  // namespace assay
