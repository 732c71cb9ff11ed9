// Reads the files of --waivers and --support, and writes suggested waivers.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/waivers/blanket.hpp"
#include "harness/suite/waivers/support.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// What third-party subjects may leave unanswered. Throws UsageError, with the position, if a file
/// is not a support file.
std::vector<SupportEntry> read_support(const std::vector<std::string>& paths);

/// Throws UsageError, with file and line, if a file cannot be read or is invalid, or if one of its
/// waivers is rejected (harness/suite/waivers/blanket.hpp).
std::vector<Waiver> read_waivers(const std::vector<std::string>& paths);

/// What the author of waivers writes: placeholders until then.
struct WaiverTexts {
  std::string reason = kUnwrittenReason;
  std::string link = kUnwrittenLink;
  std::string owner = kUnwrittenOwner;
  std::chrono::year_month_day expires;
};

/// A waiver file for all failures of the run, one entry per failure and subject. The failures of a
/// cause stand together. A signature has the wrong value too, so that another is no known failure.
std::string suggested_waivers(const report::RunRecord& run, const WaiverTexts& texts);

}  // namespace assay
