// The files behind --waivers, and those that are suggested.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// Throws UsageError with file and line when one of them cannot be read, is none, or has a waiver
/// that is refused (harness/suite/waivers/blanket.hpp).
std::vector<Waiver> read_waivers(const std::vector<std::string>& paths);

/// A waiver file for everything that spoils the run, one entry for failures of one sentence in one
/// subject, good until `expires`. Reason, link and owner are for its author to write.
std::string suggested_waivers(const report::RunRecord& run, std::chrono::year_month_day expires);

}  // namespace assay
