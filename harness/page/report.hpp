// Writes a report: one page, or the same records as Markdown or CSV.
#pragma once

#include <string>

#include "harness/page/data/sources.hpp"

namespace assay::page {

/// The whole page. Deterministic: equal reports give equal pages.
std::string to_html(Report report);

/// Each record as Markdown, one after the other, followed by the comparison of benches.
std::string to_markdown(Report report);

/// One line for each result of a case and for each measurement, after a header line.
std::string to_csv(Report report);

}  // namespace assay::page
