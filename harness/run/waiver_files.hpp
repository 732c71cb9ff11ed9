// Reads the files of --waivers, and writes suggested ones.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// Throws UsageError, with file and line, if a file cannot be read or is invalid, or if one of its
/// waivers is rejected (harness/suite/waivers/blanket.hpp).
std::vector<Waiver> read_waivers(const std::vector<std::string>& paths);

/// A waiver file for all failures of the run, one entry per message and subject, valid until
/// `expires`. Reason, link and owner are left for the author to write.
std::string suggested_waivers(const report::RunRecord& run, std::chrono::year_month_day expires);

}  // namespace assay
