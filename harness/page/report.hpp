// The report: one page, or the same records as Markdown or CSV.
#pragma once

#include <string>

#include "harness/page/material/sources.hpp"

namespace assay::page {

/// The whole page. Equal reports give equal pages.
std::string to_html(Report report);

/// Each record as Markdown, one below the other, then the comparison of those of benches.
std::string to_markdown(Report report);

/// A line for each result of a case and for each measurement, under a line of names.
std::string to_csv(Report report);

}  // namespace assay::page
