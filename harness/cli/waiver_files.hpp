// The files behind --waivers, and those that are suggested.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/waivers.hpp"

namespace assay::cli {

/// Throws UsageError with file, line and column when one of them cannot be read or is none.
std::vector<Waiver> read_waivers(const std::vector<std::string>& paths);

/// A waiver file for everything that spoils the run, one entry for failures of one sentence in one
/// subject, good until `expires`. Reason, link and owner are for its author to write.
std::string suggested_waivers(const report::RunRecord& run, std::chrono::year_month_day expires);

/// Does it still have a reason, link or owner of `suggested_waivers`?
bool is_unwritten(const Waiver& waiver);

}  // namespace assay::cli
