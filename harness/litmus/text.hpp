// Prints litmus programs and their outcomes.
#pragma once

#include <string>

#include "harness/litmus/tests.hpp"
#include "harness/report/litmus_record.hpp"

namespace assay {

/// The threads side by side, their clauses, and the histogram: forbidden outcomes in red, and
/// permitted ones that were never seen.
std::string shown(const LitmusTest& test, const report::LitmusEntry& entry, bool colours);

}  // namespace assay
