// The faults that patterns choose.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/faults.hpp"

namespace assay {

/// Those of the subject whose name or clause one of `patterns` matches; all where there is none.
/// Throws UsageError for a pattern that matches none beside one that does: what was asked for would
/// be left out in silence.
std::vector<const Fault*> chosen_faults(const std::vector<std::string>& patterns,
                                        const std::string& subject = "reference");

}  // namespace assay
