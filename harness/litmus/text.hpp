// How litmus programs and what they showed look on a screen.
#pragma once

#include <string>

#include "harness/litmus/tests.hpp"
#include "harness/report/litmus_record.hpp"

namespace assay {

/// The threads side by side, what they rest on, and the histogram: forbidden outcomes in red, and
/// those that are permitted and were never seen.
std::string shown(const LitmusTest& test, const report::LitmusEntry& entry, bool colours);

}  // namespace assay
